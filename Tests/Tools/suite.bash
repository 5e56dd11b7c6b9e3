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

# object_files FOLDER MODULE …: sets `objects` to the object files of modules in a build folder. Only those of today's
# files: a build folder keeps those of files that are gone.
object_files() {
  local folder=$1
  shift
  mapfile -t objects < <(for module in "$@"; do
    sed -n 's/.*"object" *: *"\(.*\)".*/\1/p' "$folder/$module.build/output-file-map.json"
  done)
}

# finish: all checks have passed, and there was one.
finish() {
  [ $((passed + skipped)) -gt 0 ] || fail "a check ran"
  local rest=
  [ "$skipped" = 0 ] || rest=", $skipped skipped"
  echo "$passed passed, 0 failed$rest"
}

# swift_test ARGUMENT …: runs `swift test`. If it has not ended after TEST_LIMIT seconds (15 minutes), it is
# stopped, with status 124, after the stacks of its threads were printed to standard error.
#
# At most 16 tests run at the same time. If all began at once, each would wait for the others on a busy machine, until
# the clients of some have waited for their servers for a minute, which is their limit.
swift_test() {
  local -x SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=16
  local end=$((SECONDS + ${TEST_LIMIT:-900})) job process status=0
  swift test "$@" </dev/null 2>&1 &
  job=$!
  while kill -0 "$job" 2>/dev/null; do
    if [ "$SECONDS" -ge "$end" ]; then
      for process in $(descendants "$job"); do stacks "$process" >&2; done
      # shellcheck disable=SC2046
      kill -KILL $(descendants "$job") "$job" 2>/dev/null || true
      wait "$job" 2>/dev/null || true
      return 124
    fi
    sleep 1
  done
  wait "$job" || status=$?
  return "$status"
}

descendants() {
  local child
  for child in $(pgrep -P "$1"); do
    echo "$child"
    descendants "$child"
  done
}

# stacks PROCESS: prints where its threads are. The toolchain's lldb may lack its Python, so gdb is tried too.
stacks() {
  echo "the threads of $(ps -o args= -p "$1" | cut -c 1-200):"
  if ! lldb --version >/dev/null 2>&1; then
    [ -z "${CI:-}" ] || command -v gdb >/dev/null || apt-get install -y -qq gdb >/dev/null 2>&1 || true
    gdb -p "$1" -batch -ex "thread apply all backtrace" </dev/null 2>/dev/null ||
      echo "neither lldb nor gdb can show them here"
    return
  fi
  lldb --batch -p "$1" -o "thread backtrace all" -o detach </dev/null || true
}

# unfinished LOG: prints the tests that began in the log and did not end. Several tests may have the same name, so
# their number is printed as well.
unfinished() {
  names() { grep -aoE "($1) Test [A-Za-z0-9_]+\(" "$2" | sed -E 's/.* //' | sort | uniq -c | sort; }
  echo "these tests have not ended, or their end was not printed yet:"
  comm -23 <(names '◇' "$1") <(names '✔|✘|➜' "$1")
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
