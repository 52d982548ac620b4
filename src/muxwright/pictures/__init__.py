"""Screens as pixels: PNG and animated GIF, drawn by Pillow (extra ``png``).

A layer of its own, below the programs that show pictures and above everything pure: it needs an extra and reads fonts.
"""
