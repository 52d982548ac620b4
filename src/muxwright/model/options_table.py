"""tmux's options and hooks: where each may be set, and what it takes.

Written by tools/gen_options.py: do not edit. One line for each option and way of being: name, scopes (`s`erver,
`g`=session, `w`indow, `p`ane), the versions that have it so (one digit for each of VERSIONS), kind (``[]``: an array),
choices.
"""

VERSIONS = ("3.3a", "3.5a", "3.7c", "3.8")

ROWS = """\
activity-action g 1111 choice any,current,none,other
after-bind-key g 1111 hook
after-capture-pane g 1111 hook
after-copy-mode g 1111 hook
after-display-message g 1111 hook
after-display-panes g 1111 hook
after-kill-pane g 1111 hook
after-list-buffers g 1111 hook
after-list-clients g 1111 hook
after-list-keys g 1111 hook
after-list-panes g 1111 hook
after-list-sessions g 1111 hook
after-list-windows g 1111 hook
after-load-buffer g 1111 hook
after-lock-server g 1111 hook
after-new-session g 1111 hook
after-new-window g 1111 hook
after-paste-buffer g 1111 hook
after-pipe-pane g 1111 hook
after-queue g 1110 hook
after-refresh-client g 1111 hook
after-rename-session g 1111 hook
after-rename-window g 1111 hook
after-resize-pane g 1111 hook
after-resize-window g 1111 hook
after-save-buffer g 1111 hook
after-select-layout g 1111 hook
after-select-pane g 1111 hook
after-select-window g 1111 hook
after-send-keys g 1111 hook
after-set-buffer g 1111 hook
after-set-environment g 1111 hook
after-set-hook g 1111 hook
after-set-option g 1111 hook
after-show-environment g 1111 hook
after-show-messages g 1111 hook
after-show-options g 1111 hook
after-split-window g 1111 hook
after-swap-window g 0001 hook
after-unbind-key g 1111 hook
aggressive-resize w 1111 flag
alert-activity g 1111 hook
alert-bell g 1111 hook
alert-silence g 1111 hook
allow-passthrough wp 1000 flag
allow-passthrough wp 0111 choice all,off,on
allow-rename wp 1111 flag
allow-set-title wp 0111 flag
alternate-screen wp 1111 flag
assume-paste-time g 1111 number
automatic-rename w 1111 flag
automatic-rename-format w 1111 string
backspace s 1111 key
base-index g 1111 number
bell-action g 1111 choice any,current,none,other
buffer-limit s 1111 number
clear-on-attach s 0001 flag
client-active g 1111 hook
client-attached g 1111 hook
client-closed g 0001 hook
client-created g 0001 hook
client-dark-theme g 0011 hook
client-detached g 1111 hook
client-focus-in g 1111 hook
client-focus-out g 1111 hook
client-light-theme g 0011 hook
client-resized g 1111 hook
client-session-changed g 1111 hook
clock-mode-colour w 1111 colour
clock-mode-style w 1100 choice 12,24
clock-mode-style w 0011 choice 12,12-with-seconds,24,24-with-seconds
codepoint-widths s 0011 string[]
command-alias s 1111 string[]
command-error g 0111 hook
copy-command s 1111 string
copy-mode-current-line-number-style w 0011 style
copy-mode-current-line-style w 0001 style
copy-mode-current-match-style w 1111 style
copy-mode-line-number-style w 0011 style
copy-mode-line-numbers w 0011 choice absolute,default,hybrid,off,relative
copy-mode-mark-style w 1111 style
copy-mode-match-style w 1111 style
copy-mode-position-format wp 0011 string
copy-mode-position-style w 0011 style
copy-mode-selection-style w 0011 style
cursor-colour wp 1111 colour
cursor-style wp 1111 choice bar,blinking-bar,blinking-block,blinking-underline,block,default,underline
dark-theme-black s 0001 colour
dark-theme-blue s 0001 colour
dark-theme-cyan s 0001 colour
dark-theme-dark-grey s 0001 colour
dark-theme-green s 0001 colour
dark-theme-light-grey s 0001 colour
dark-theme-magenta s 0001 colour
dark-theme-red s 0001 colour
dark-theme-white s 0001 colour
dark-theme-yellow s 0001 colour
default-client-command s 0011 command
default-command g 1111 string
default-shell g 1111 string
default-size g 1111 string
default-terminal s 1111 string
destroy-unattached g 1000 flag
destroy-unattached g 0111 choice keep-group,keep-last,off,on
detach-on-destroy g 1000 choice no-detached,off,on
detach-on-destroy g 0111 choice next,no-detached,off,on,previous
display-panes-active-colour g 1110 colour
display-panes-active-colour w 0001 colour
display-panes-border-style w 0001 style
display-panes-colour g 1110 colour
display-panes-colour w 0001 colour
display-panes-format w 0001 string
display-panes-time g 1110 number
display-panes-time w 0001 number
display-time g 1111 number
editor s 1111 string
escape-time s 1111 number
exit-empty s 1111 flag
exit-unattached s 1111 flag
extended-keys s 1111 choice always,off,on
extended-keys-format s 0111 choice csi-u,xterm
fill-character w 1111 string
focus-events s 1111 flag
focus-follows-mouse g 0011 flag
get-clipboard s 0011 choice both,buffer,off,request
history-file s 1111 string
history-limit g 1111 number
initial-repeat-time g 0011 number
input-buffer-size s 0011 number
key-table g 1111 string
light-theme-black s 0001 colour
light-theme-blue s 0001 colour
light-theme-cyan s 0001 colour
light-theme-dark-grey s 0001 colour
light-theme-green s 0001 colour
light-theme-light-grey s 0001 colour
light-theme-magenta s 0001 colour
light-theme-red s 0001 colour
light-theme-white s 0001 colour
light-theme-yellow s 0001 colour
lock-after-time g 1111 number
lock-command g 1111 string
main-pane-height w 1111 string
main-pane-width w 1111 string
marked-pane-changed g 0001 hook
menu-border-lines w 0111 choice double,heavy,none,padded,rounded,simple,single
menu-border-style w 0111 style
menu-selected-style w 0111 style
menu-style w 0111 style
message-command-style g 1111 style
message-format g 0011 string
message-limit s 1111 number
message-line g 0111 choice 0,1,2,3,4
message-style g 1111 style
mode-keys w 1111 choice emacs,vi
mode-style w 1111 style
monitor-activity w 1111 flag
monitor-bell w 1111 flag
monitor-silence w 1111 number
mouse g 1111 flag
other-pane-height w 1111 string
other-pane-width w 1111 string
pane-active-border-style w 1100 style
pane-active-border-style wp 0011 style
pane-activity wp 0001 hook
pane-base-index w 1111 number
pane-bell wp 0001 hook
pane-border-format wp 1111 string
pane-border-indicators w 1111 choice arrows,both,colour,off
pane-border-lines w 1100 choice double,heavy,number,simple,single
pane-border-lines w 0010 choice double,heavy,number,simple,single,spaces
pane-border-lines wp 0001 choice double,heavy,none,number,simple,single,spaces
pane-border-status w 1110 choice bottom,off,top
pane-border-status wp 0001 choice bottom,bottom-floating,off,top,top-floating
pane-border-style w 1100 style
pane-border-style wp 0011 style
pane-colours wp 1111 colour[]
pane-command-finished wp 0001 hook
pane-command-started wp 0001 hook
pane-created wp 0001 hook
pane-died wp 1111 hook
pane-exited wp 1111 hook
pane-focus-in wp 1111 hook
pane-focus-out wp 1111 hook
pane-mode-changed wp 1111 hook
pane-mode-entered wp 0001 hook
pane-mode-exited wp 0001 hook
pane-moved wp 0001 hook
pane-prompt-closed wp 0001 hook
pane-prompt-opened wp 0001 hook
pane-resized wp 0001 hook
pane-scrollbars w 0010 choice modal,off,on
pane-scrollbars w 0001 choice auto-hide,modal,off,on
pane-scrollbars-position w 0011 choice left,right
pane-scrollbars-style wp 0011 style
pane-scrollbars-timeout w 0001 number
pane-set-clipboard wp 1111 hook
pane-shell-prompt wp 0001 hook
pane-status-current-style w 0011 style
pane-status-style w 0011 style
pane-title-changed wp 1111 hook
popup-border-lines w 1111 choice double,heavy,none,padded,rounded,simple,single
popup-border-style w 1111 style
popup-style w 1111 style
prefix g 1111 key
prefix-timeout s 0111 number
prefix2 g 1111 key
prompt-command-cursor-colour g 0001 colour
prompt-command-cursor-style g 0011 choice bar,blinking-bar,blinking-block,blinking-underline,block,default,underline
prompt-cursor-colour g 0011 colour
prompt-cursor-style g 0011 choice bar,blinking-bar,blinking-block,blinking-underline,block,default,underline
prompt-history-limit s 1111 number
remain-on-exit wp 1100 choice failed,off,on
remain-on-exit wp 0010 choice failed,key,off,on
remain-on-exit wp 0001 choice failed,failed-key,key,off,on
remain-on-exit-format wp 1111 string
renumber-windows g 1111 flag
repeat-time g 1111 number
scroll-on-clear wp 1111 flag
session-added-to-group g 0001 hook
session-closed g 1111 hook
session-created g 1111 hook
session-removed-from-group g 0001 hook
session-renamed g 1111 hook
session-status-current-style w 0011 style
session-status-style w 0011 style
session-window-changed g 1111 hook
set-clipboard s 1111 choice external,off,on
set-titles g 1111 flag
set-titles-string g 1111 string
silence-action g 1111 choice any,current,none,other
status g 1111 choice 2,3,4,5,off,on
status-bg g 1111 colour
status-fg g 1111 colour
status-format g 1111 string[]
status-interval g 1111 number
status-justify g 1111 choice absolute-centre,centre,left,right
status-keys g 1111 choice emacs,vi
status-left g 1111 string
status-left-length g 1111 number
status-left-style g 1111 style
status-position g 1111 choice bottom,top
status-right g 1111 string
status-right-length g 1111 number
status-right-style g 1111 style
status-style g 1111 style
switch-mode-match-style wp 0001 style
synchronize-panes wp 1111 flag
terminal-features s 1111 string[]
terminal-overrides s 1111 string[]
theme s 0001 choice dark,detect,light,terminal
tiled-layout-max-columns w 0011 number
tree-mode-border-style w 0001 style
tree-mode-preview-format wp 0011 string
tree-mode-preview-style w 0011 style
tree-mode-selection-style w 0001 style
update-environment g 1111 string[]
user-keys s 1111 string[]
variation-selector-always-wide s 0011 flag
visual-activity g 1111 choice both,off,on
visual-bell g 1111 choice both,off,on
visual-silence g 1111 choice both,off,on
window-active-style wp 1111 style
window-closed w 0001 hook
window-created w 0001 hook
window-layout-changed w 1111 hook
window-linked g 1111 hook
window-pane-changed w 1111 hook
window-pane-current-status-format w 0011 string
window-pane-status-format w 0011 string
window-renamed w 1111 hook
window-resized w 1111 hook
window-size w 1111 choice largest,latest,manual,smallest
window-status-activity-style w 1111 style
window-status-bell-style w 1111 style
window-status-current-format w 1111 string
window-status-current-style w 1111 style
window-status-format w 1111 string
window-status-last-style w 1111 style
window-status-separator w 1111 string
window-status-style w 1111 style
window-style wp 1111 style
window-unlinked g 1111 hook
window-unzoomed w 0001 hook
window-zoomed w 0001 hook
word-separators g 1111 string
wrap-search w 1111 flag
xterm-keys w 1111 flag
"""
