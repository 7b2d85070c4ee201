#!/bin/sh
# Outlives the launcher and stops what it left behind. The launcher holds the other end of standard input; end of file
# means that it is gone, whether it ended well or was killed. Lines:
#   + SIGNAL PID   this process runs, and SIGNAL is how to stop it
#   - SIGNAL PID   it has ended
#   ! KILL         do not wait: kill everything as soon as the input ends
# Arguments: seconds to wait before killing, then files to remove at the end.

# A Ctrl-C in the terminal is for the launcher.
trap '' INT TERM HUP QUIT
patience=$1
shift
urgent=""
entries=""

without() {
  kept=""
  for entry in $entries; do [ "$entry" = "$1" ] || kept="$kept $entry"; done
  entries=$kept
}

# A zombie whom nobody reaps is dead enough.
alive() {
  kill -0 "$1" 2>/dev/null && ! grep -qs '^State:[[:space:]]*Z' "/proc/$1/status"
}

any_alive() {
  for entry in $1; do alive "${entry#*:}" && return 0; done
  return 1
}

send() {
  for entry in $2; do alive "${entry#*:}" && kill "-$1" "${entry#*:}" 2>/dev/null; done
}

with_signal() {
  for entry in $entries; do case $entry in "$1":*) printf '%s ' "$entry" ;; esac; done
}

while read -r operation signal pid; do
  case $operation in
    +) entries="$entries $signal:$pid" ;;
    -) without "$signal:$pid" ;;
    !) urgent=yes patience=3 ;;
  esac
done

# Programs that use the servers first (TERM), then the servers (INT; PostgreSQL calls QUIT its immediate shutdown).
for signal in TERM INT; do
  stage=$(with_signal $signal)
  case $urgent$signal in
    yesTERM) send KILL "$stage" ;;
    yesINT) send QUIT "$stage" ;;
    *) send $signal "$stage" ;;
  esac
  rounds=$((patience * 10))
  while [ "$rounds" -gt 0 ] && any_alive "$stage"; do
    sleep 0.1
    rounds=$((rounds - 1))
  done
  send KILL "$stage"
done
rm -f "$@"
