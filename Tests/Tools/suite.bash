# Sourced by scripts that end at the first failure: they count passed checks and print one closing line.
passed=0

# ok NAME: the check has passed.
ok() {
  passed=$((passed + 1))
  echo "ok $1"
}

# fail NAME [LOG]: the check has failed; shows the end of the log and exits.
fail() {
  echo "FAILED $1" >&2
  [ -z "${2:-}" ] || tail -n 60 "$2" >&2
  echo "$passed passed, 1 failed"
  exit 1
}

# finish: all checks have passed.
finish() { echo "$passed passed, 0 failed"; }
