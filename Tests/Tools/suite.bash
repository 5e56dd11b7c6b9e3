# Sourced by suites, which end at the first failure: counts the checks, prints one closing line, and
# builds the programs of Tests/Proofs.
passed=0
skipped=0

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

# skip NAME REASON: the check cannot run here. CI must run every check.
skip() {
  echo "skipped $1: $2"
  [ -z "${CI:-}" ] || fail "$1 was skipped in CI"
  skipped=$((skipped + 1))
}

# skip_suite REASON: nothing of the suite can run here. Tests/run knows this status.
skip_suite() {
  echo "skipped: $1"
  exit 77
}

# skip_schema FILE: the check needs a file of ../shared/schemas. They are not part of the repository, so CI may
# lack them.
skip_schema() {
  echo "skipped: ../shared/schemas/$1 is missing"
  skipped=$((skipped + 1))
}

# finish: all checks have passed.
finish() {
  local rest=
  [ "$skipped" = 0 ] || rest=", $skipped skipped"
  echo "$passed passed, 0 failed$rest"
}

# build_program NAME [address|thread]: builds a program of Tests/Proofs for release, or for debugging with a
# sanitizer. `program` is then its path.
build_program() {
  local build=(swift build --package-path Tests/Proofs --scratch-path .build/proofs -c release)
  [ $# -eq 1 ] ||
    build=(swift build --package-path Tests/Proofs --scratch-path ".build/proofs-$2" --sanitize="$2")
  "${build[@]}" --product "$1" --quiet </dev/null || fail "$1 does not compile"
  program=$("${build[@]}" --show-bin-path)/$1
}
