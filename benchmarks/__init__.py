"""`make bench`: figures as ratios, taken in one run, against libtmux and against the raw limit.

The contenders of a comparison take turns in short blocks (A B C A B C ...), so that whatever else the machine does hits
all of them alike. A ratio is formed within each turn, and what counts is the median of those ratios.
"""
