"""Mistakes that only show on Apple platforms. Each is compiled as it is written, and must be found; its correct
form must not be, so that what is found is the mistake."""

import re
import types

import kit

HEAD = "import Darwin\nimport Dispatch\nimport Foundation\nimport Observation\nimport Synchronization\n"

# Name, correct code, what is replaced in it, by what, and a word of the diagnostic.
SNIPPETS = [
    ("an optional method is called like a required one", """
      func end(_ delegate: any URLSessionTaskDelegate, _ session: URLSession, _ task: URLSessionTask) {
        delegate.urlSession?(session, task: task, didCompleteWithError: nil)
      }
      """, "urlSession?(", "urlSession(", "optional"),
    ("a value that may be missing is used", """
      func name(_ response: URLResponse) -> String { response.mimeType ?? "" }
      """, ' ?? ""', "", "unwrapped"),
    ("a method of a delegate is misspelt", """
      final class Delegate: NSObject, URLSessionDataDelegate {
        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}
      }
      """, "didReceive data", "didReceiveData data", "nearly matches"),
    ("a delegate of sessions changes without a lock", """
      final class Delegate: NSObject, URLSessionDelegate { let count = 0 }
      """, "let count", "var count", "Sendable"),
    ("a flag of Linux", "let flags: Int32 = O_RDONLY", "O_RDONLY", "O_PATH", "O_PATH"),
    ("a mode of 32 bits", """
      func permit(_ path: String) { chmod(path, mode_t(0o600)) }
      """, "mode_t(", "UInt32(", "UInt16"),
    ("a thread is a number", "let owner = UInt(bitPattern: pthread_self())", "UInt(bitPattern: pthread_self())",
     "UInt(pthread_self())", "bitPattern"),
    ("the actions of a new process have a value", """
      func prepare() {
        var actions: posix_spawn_file_actions_t?
        posix_spawn_file_actions_init(&actions)
      }
      """, "posix_spawn_file_actions_t?", "posix_spawn_file_actions_t", "actions"),
    ("the type of sockets is an enum", "let number = socket(AF_INET, SOCK_STREAM, 0)", "SOCK_STREAM",
     "Int32(SOCK_STREAM.rawValue)", "rawValue"),
    ("a module of Linux", "import Darwin", "Darwin", "Glibc", "Glibc"),
    ("a span, which newer systems have", """
      func count(_ list: [UInt8]) -> Int { list.count }
      """, "list.count", "list.span.count", "available"),
    ("an array of fixed size, which newer systems have", "func take(_ list: [Int]) {}", "[Int]",
     "InlineArray<2, Int>", "available"),
    ("a task that starts at once, which newer systems have", """
      func start() { Task { } }
      """, "Task {", "Task.immediate {", "available"),
    ("an atomic value, which newer systems have", """
      final class Counter: Sendable { let count = 0 }
      """, "count = 0", "count = Atomic(0)", "available"),
    ("a lock of the library, which newer systems have", """
      final class Counter: Sendable { let count = 0 }
      """, "count = 0", "count = Mutex(0)", "available"),
    ("a number of 128 bits, which newer systems have", "let bits: UInt64 = 0", "UInt64", "UInt128", "available"),
    ("text from bytes that are checked, which newer systems have", """
      func show(_ bytes: [UInt8]) { print(String(decoding: bytes, as: UTF8.self) as Any) }
      """, "decoding", "validating", "available"),
    ("a sequence with its error as an argument, which newer systems have", """
      func count(_ events: any AsyncSequence) {}
      """, "any AsyncSequence", "any AsyncSequence<Int, any Error>", "available"),
    ("the next element of a sequence in an isolation, which newer systems have", """
      func next<S: AsyncIteratorProtocol>(_ events: inout S) async throws -> S.Element? {
        try await events.next()
      }
      """, "next()", "next(isolation: nil)", "available"),
    ("a function that a declaration of availability excludes", """
      @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) func new() {}
      func old() { if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { new() } }
      """, "if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { new() }", "new()", "available"),
]

# Constants, and whether they are found.
INTEGERS = [
    ("let day = 86_400 * 1_000_000", True),
    ("let day: Int64 = 86_400 * 1_000_000", False),
    ("func late(_ time: Int) -> Bool { time > 4_294_967_296 }", True),
    ("func late(_ time: Int) -> Bool { time == .max }", False),
]


def check(platform, compile_swift, int32, only=None):
    """Returns the number of mistakes; raises a failure if one is not found.

    - Parameter only: a word of the diagnostic, to check only some mistakes, without flow analysis.
    """
    folder = platform.work / "Mistakes"
    folder.mkdir(exist_ok=True)
    target = types.SimpleNamespace(
        module="Mistake", kind="library", flags=["-strict-memory-safety"], has_checked_integers=True)

    def findings(codes):
        """The findings in each of the codes, which are compiled together."""
        files = [folder / f"Snippet{number}.swift" for number in range(len(codes))]
        for file, code in zip(files, codes):
            file.write_text(HEAD + code + "\n")
        actions = ["-typecheck"] if only else []
        found = compile_swift(target, platform, *actions, sources=files).findings
        return [[line for line in found if f"/{file.name}:" in line] for file in files]

    snippets = [snippet for snippet in SNIPPETS if only in (None, snippet[-1])]
    # A module that does not exist ends the compilation, so imports are compiled alone.
    imports = [snippet for snippet in snippets if snippet[1].startswith("import")]
    groups = [[snippet] for snippet in imports] + [[snippet for snippet in snippets if snippet not in imports]]
    for group in groups:
        # Names of one snippet are not those of another one in a struct.
        wrap = (lambda number, code: code) if group[0] in imports else (
            lambda number, code: f"struct Snippet{number} {{\n{code}\n}}")
        assert all(code.count(part) >= 1 for _, code, part, _, _ in group)
        right = findings([wrap(number, code) for number, (_, code, _, _, _) in enumerate(group)])
        wrong = findings([wrap(number, code.replace(part, mistake))
                          for number, (_, code, part, mistake, _) in enumerate(group)])
        for (name, _, _, _, word), accepted, found in zip(group, right, wrong):
            accepted = [line for line in accepted if "unsafe" not in line]
            if accepted:
                raise kit.Failure(f"{name}: the correct form is not accepted: {accepted}")
            if not any(re.search(word, line) for line in found):
                raise kit.Failure(f"{name}: this mistake is not found, but {found}")
    integers = INTEGERS if platform.name == "macos" and not only else []
    for code, is_mistake in integers:
        findings([code])
        found = int32(platform.work / "Mistake.sil", "Mistake")
        if bool(found) != is_mistake:
            raise kit.Failure(f"{code}: {found or 'it is not found'}")
    return len(snippets) + len(integers)
