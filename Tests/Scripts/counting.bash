# Sourced by scripts that end at the first failure: they count what holds and close with one line.
passed=0

# ok NAME: it holds.
ok() {
  passed=$((passed + 1))
  echo "ok $1"
}

# fail NAME [LOG]: it does not; shows the end of the log and ends.
fail() {
  echo "FAILED $1" >&2
  [ -z "${2:-}" ] || tail -n 60 "$2" >&2
  echo "$passed passed, 1 failed"
  exit 1
}

# finish: everything held.
finish() { echo "$passed passed, 0 failed"; }
