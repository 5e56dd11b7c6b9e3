"""Mistakes that only show on Apple platforms. Each is compiled as it is written, and must be found; its correct
form must not be, so that what is found is the mistake."""

import re
import types

import differences
import headers
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

# Constants, their names, and whether they are found.
INTEGERS = [
    ("day", "let day = 86_400 * 1_000_000", True),
    ("half", "let half = 3_000_000_000", True),
    ("whole", "let whole: UInt = 3_000_000_000", False),
    ("wideDay", "let wideDay: Int64 = 86_400 * 1_000_000", False),
    ("isLate", "func isLate(_ time: Int) -> Bool { time > 4_294_967_296 }", True),
    ("isLast", "func isLast(_ time: Int) -> Bool { time == .max }", False),
]


# Tests with mistakes in an argument and in an expectation, and their lines.
TESTS = """import Testing

@Test(arguments: 0...[1].span.count) func takes(_ count: Int) {}

@Test(arguments: 0...[1].count) func counts(_ count: Int) throws {
  let list = [1]
  #expect(list.count == 1)
  #expect(list.span.count == 1)
  let first = try #require(list.first)
  #expect(first == 1, "the list begins with \\(list)")
}
"""
WRONG_LINES = [3, 8]


# Only flow analysis finds this.
FLOW = """func read() -> Int {
  let number: Int
  return number
}
"""


# Conditions, and whether they can differ between Apple's platforms.
DIFFERING = [
    ("#if os(Linux)", False),
    ("#if canImport(Darwin) && !ONE_MODULE", False),
    ("  #elseif !DEBUG || canImport(os) // os(iOS)", False),
    ("#if os(iOS)", True),
    ("#if !os(tvOS)", True),
    ("#if os/* */(watchOS)", True),
    ("#if (\n  os(tvOS))", True),
    ("#if DEBUG && os(tvOS)", True),
    ("#elseif arch(arm64)", True),
    ("#if targetEnvironment(simulator)", True),
    ("#if canImport(Testing)", True),
    ("#if canImport(Foundation, _version: 6)", True),
]


# Files of modules with conditions on the platform, where PLATFORM is that of another than the first one, and a word of
# the diagnostic. `Base` changes declarations, and `Body` only functions.
CONDITIONS = {
    "Base": ("""public enum Place {
  case memory
  #if os(PLATFORM)
    case disk
  #endif
}
public struct Options {
  var count: Int
  #if os(PLATFORM)
    var limit: Int
  #endif
}
public protocol Cache {
  func read()
  #if os(PLATFORM)
    func write()
  #endif
}
""", None),
    "Own": ("func options() -> Options { Options(count: 1) }\n", "missing argument"),
    "Switch": ("""import MistakeBase

func name(_ place: Place) -> Int {
  switch place { case .memory: 0 }
}
""", "must be exhaustive"),
    "Conformance": ("import MistakeBase\n\nstruct Memory: Cache { func read() {} }\n", "does not conform"),
    "Body": (f"func start() {{\n  #if os(PLATFORM)\n  {FLOW}\n  #endif\n}}\n", "before being initialized"),
    "Byte": ("@_transparent func last() -> UInt8 {\n  #if os(PLATFORM)\n  255\n  #else\n  1\n  #endif\n}\n", None),
    "Opaque": ("""protocol Part { func start() }
final class Fixed: Part { func start() {} }
final class Changing: Part { var count = 0; func start() {} }
func part() -> some Part {
  #if os(PLATFORM)
    Changing()
  #else
    Fixed()
  #endif
}
""", None),
    "Sends": ("func send() {\n  let own = part()\n  Task { own.start() }\n  own.start()\n}\n", "sending"),
    "Next": ("func next() -> UInt8 { last() + 1 }\n", "overflow"),
    "Large": ("#if os(PLATFORM)\n  let day = 86_400 * 1_000_000\n#endif\nfunc today() {}\n", "exceeds 32 bits"),
    "Calls": ("import CMistake\n\nfunc call() { start(1) }\n", "missing argument"),
    "Missing": ("import Darwin\n\nfunc stack() { unsafe _ = sigaltstack(nil, nil) }\n", "unavailable in"),
    "Macro": ("import Darwin\n\nfunc flag() -> Int32 { MAP_32BIT }\n", "cannot find 'MAP_32BIT'"),
    "Same": ("func double() -> Int { 2 }\n", None),
}


# A header, and the names whose declarations are others on a device than on a Mac, or not available. `same` is not.
HEADER = """#include <TargetConditionals.h>
#include <Foundation/Foundation.h>

#if TARGET_OS_IPHONE
typedef int changing;
#define LIMIT 1
enum { limited };
#else
typedef long changing;
#define LIMIT 2
#endif

void lines(
  int first
#if TARGET_OS_IPHONE
  , int second
#endif
);
void uses(changing value);
#define INDIRECT LIMIT
struct Pair {
  int left;
#if TARGET_OS_IPHONE
  int right;
#endif
};
typedef struct Pair Both;
typedef struct {
  int x;
#if TARGET_OS_IPHONE
  int y;
#endif
} Point;
#if TARGET_OS_IPHONE
void hidden(void) __attribute__((swift_private));
#endif
void old(void) __attribute__((availability(ios, introduced=2.0, deprecated=9.0)));
void mac(void) __attribute__((availability(ios, unavailable)));
@protocol Reading
- (void)readFromStart:(int)position;
#if TARGET_OS_IPHONE
- (void)skipToEnd:(int)position;
#endif
@end
@interface NSReader: NSObject <Reading>
@end
int same(int first, int second);
"""
HEADER_NAMES = (
    "changing LIMIT limited lines uses INDIRECT Pair right Both Point __hidden old mac Reading skip Reader").split()


# The header of a module in C.
C_HEADER = """#include <TargetConditionals.h>
void start(
  int first
#if TARGET_OS_IPHONE
  , int second
#endif
);
"""


# Lists of versions, and whether each is of one release.
VERSIONS = [
    ("@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)", True),
    ("@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)", True),
    ("@available(\n  macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)", True),
    ('@available(*, deprecated, message: "iOS 18 :(")', True),
    ("#available(macOS 13.3, iOS 16.4, tvOS 16.4, watchOS 9.4, visionOS 1, *)", True),
    ("#available(macOS 13.3, iOS 16.4, tvOS 16.4, watchOS 9.4, visionOS 1, *) "
     "#available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)", False),
    ("// #available(iOS 18, *)", False),
    ("#available/* */(iOS 18, *)", False),
    ('let quote = /"/; func new() { if #available(iOS 18, *) {} }', False),
    ('"\\({ if #available(iOS 18, *) {} }())"', False),
    ("#available(macOS 15, iOS 18, tvOS 17, watchOS 11, *)", False),
    ("#available(macOS 15, iOS 15, tvOS 18, watchOS 11, *)", False),
    ("#available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 1, *)", False),
    ("@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 2, *)", False),
    ("#unavailable(macOS 15, iOS 18, watchOS 11)", False),
    ("@available(iOS, introduced: 18)", False),
    ('@available(tvOS, unavailable, message: "no disk :(")', False),
    ("#available(OSX 15, *)", False),
    ("@backDeployed(before: iOS 18)", False),
    ("@available(iOS 18 /* :( */, *)", False),
    ('/* 3" */ @available(iOS, unavailable, renamed: "h(_:)")', False),
    ('let q = #"""#; @available(iOS, unavailable, message: "no (disk)")', False),
]


# Without the stand-in for the module of Xcode, the compiler would not read this.
PLUGIN = """import Foundation
import PackagePlugin

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  func folder(_ context: XcodePluginContext) -> URL { context.pluginWorkDirectory }
#endif
"""


class Check:
    """The mistakes on a platform. Codes are compiled together, since each run of the compiler loads the library."""

    def __init__(self, platform, script):
        """The script is check.py."""
        self.platform = platform
        self.script = script
        self.folder = platform.work / "Mistakes"
        self.folder.mkdir(exist_ok=True)
        self.target = types.SimpleNamespace(
            module="Mistake", kind="library", flags=["-strict-memory-safety"], has_checked_integers=True)

    def findings(self, codes, *actions):
        """The findings in each of the codes, which have names."""
        files = {name: self.folder / f"{name}.swift" for name in codes}
        for name, file in files.items():
            file.write_text(HEAD + codes[name] + "\n")
        found = self.script.compile_swift(self.target, self.platform, *actions, sources=list(files.values())).findings
        return {name: [line for line in found if f"/{file.name}:" in line] for name, file in files.items()}

    def snippets(self, word):
        """Returns how many there are with that word, or of all words."""
        chosen = [snippet for snippet in SNIPPETS if word in (None, snippet[-1])]
        together, alone = {}, []
        for number, (_, code, part, mistake, _) in enumerate(chosen):
            assert code.count(part) >= 1
            right, wrong = code, code.replace(part, mistake)
            # A module that does not exist ends the compilation.
            if code.startswith("import"):
                alone.append({f"Wrong{number}": wrong})
            else:
                # Names of one snippet are not those of another one in a struct.
                right, wrong = (f"struct {kind}{number} {{\n{text}\n}}"
                                for kind, text in (("Right", right), ("Wrong", wrong)))
                together[f"Wrong{number}"] = wrong
            together[f"Right{number}"] = right
        found = {}
        for codes in [together, *alone]:
            found |= self.findings(codes, "-typecheck")
        for number, (name, _, _, _, word) in enumerate(chosen):
            accepted = [line for line in found[f"Right{number}"] if "unsafe" not in line]
            if accepted:
                raise kit.Failure(f"{name}: the correct form is not accepted: {accepted}")
            if not any(re.search(word, line) for line in found[f"Wrong{number}"]):
                raise kit.Failure(f"{name}: this mistake is not found, but {found[f'Wrong{number}']}")
        return len(chosen)

    def integers(self):
        code = self.script.code_file(self.target, self.platform)
        code.unlink(missing_ok=True)
        self.findings({name: text for name, text, _ in INTEGERS})
        if not code.exists():
            raise kit.Failure("the constants do not compile")
        found = self.script.int32(code, "Mistake")
        for name, code, is_mistake in INTEGERS:
            own = [line for line in found if f"{len(name)}{name}" in line]
            if bool(own) != is_mistake:
                raise kit.Failure(f"{code}: {own or 'it is not found'}")
        return len(INTEGERS)

    def flow(self):
        file = self.folder / "Flow.swift"
        file.write_text(FLOW)
        target = types.SimpleNamespace(
            module="MistakeFlow", kind="library", flags=[], has_checked_integers=False, sources=[file])
        found = self.script.compile_swift(target, self.platform).findings
        if not any("before being initialized" in line for line in found):
            raise kit.Failure(f"a constant without a value is not found, but {found}")
        return 1

    def conditions(self, first, names):
        """Mistakes in functions of other platforms than the first one."""
        files = {name: self.folder / f"{name}.swift" for name in CONDITIONS}
        for name, file in files.items():
            file.write_text(CONDITIONS[name][0].replace("PLATFORM", self.platform.condition))
        folder = self.folder / "CMistake"
        (folder / "include").mkdir(parents=True, exist_ok=True)
        (folder / "include/CMistake.h").write_text(C_HEADER)
        (folder / "CMistake.c").write_text('#include "CMistake.h"\n')
        code = types.SimpleNamespace(
            module="CMistake", folder=folder, files=lambda suffix: sorted(folder.rglob(f"*{suffix}")))
        interfaces = {"CMistake": self.script.compare_c(code, self.platform, first, names)}
        found = interfaces["CMistake"].findings
        if found:
            raise kit.Failure(f"the module in C does not compile: {found}")
        for module, sources, dependencies, differs in [
                ("MistakeBase", ["Base", "Own"], [], True),
                ("MistakeUser", ["Switch", "Conformance"], ["MistakeBase"], True),
                ("MistakeBody", ["Body", "Same"], [], False), ("MistakeNames", ["Missing", "Same"], [], None),
                ("MistakeMacro", ["Macro", "Same"], [], None), ("MistakeTransparent", ["Byte", "Next"], [], True),
                ("MistakeOpaque", ["Opaque", "Sends"], [], True),
                ("MistakeLarge", ["Large"], [], True), ("MistakeC", ["Calls"], ["CMistake"], True)]:
            target = types.SimpleNamespace(
                module=module, kind="library", flags=["-strict-memory-safety"], has_checked_integers=True,
                sources=[files[name] for name in sources])
            chosen = differences.differing_files(target.sources, names)
            if files["Same"] in chosen:
                raise kit.Failure(f"{module}: a file without differences is checked")
            interface = self.script.make_interface(
                target, self.platform, first, self.script.declarations(target, first, chosen), chosen, False,
                [interfaces[name] for name in dependencies])
            # Where the file has a mistake, its declarations are not printed.
            if differs is not None and interface.differs != differs:
                difference = "are" if differs else "are not"
                raise kit.Failure(f"{module}: its declarations {difference} the same: {interface.findings}")
            interfaces[module] = interface
            found += interface.findings + self.script.check_functions(target, self.platform, chosen, interface).findings
        words = {name: word for name, (_, word) in CONDITIONS.items() if word}
        if self.platform.name not in ("tvos", "watchos"):
            del words["Missing"]
        if self.platform.name != "watchos":
            del words["Large"]
        for name, word in words.items():
            if not any((f"/{name}.swift:" in line or f"Mistake{name}:" in line) and word in line for line in found):
                raise kit.Failure(f"{name}: '{word}' is not found, but {found}")
        return len(words)

    def header(self, first, versions):
        """Names of C that differ on another platform than the first one."""
        found = headers.differing_names([first, self.platform], versions, HEADER)
        missing = set(HEADER_NAMES) - found
        if missing or found & {"same", "left", "first", "readFromStart"}:
            raise kit.Failure(f"{missing or 'too many names'}: the differences of headers are not found, but {found}")
        return 1

    def differing(self):
        for text, is_differing in DIFFERING:
            if differences.has_condition(text) != is_differing:
                raise kit.Failure(f"{text}: it should {'' if is_differing else 'not '}be a difference")
        return sum(is_differing for _, is_differing in DIFFERING)

    def versions(self, versions):
        known = VERSIONS[0][0]
        for text, is_right in VERSIONS:
            if differences.Releases(versions, [known]).names_releases(text) != is_right:
                raise kit.Failure(f"{text}: it should {'' if is_right else 'not '}be accepted")
        return sum(not is_right for _, is_right in VERSIONS)

    def tests(self):
        file = self.folder / "Tests.swift"
        file.write_text(TESTS)
        test = types.SimpleNamespace(module="MistakeTests", kind="test", flags=[], sources=[file])
        found = self.script.check_types(test, self.platform).findings
        lines = [int(line.split(":")[1]) for line in found if "available" in line]
        if lines != WRONG_LINES or len(found) != len(lines):
            raise kit.Failure(f"the mistakes in the lines {WRONG_LINES} should be found, but {found}")
        return len(lines)

    def plugin(self):
        file = self.folder / "Plugin.swift"
        file.write_text(PLUGIN)
        plugin = types.SimpleNamespace(module="MistakePlugin", kind="plugin", flags=[], sources=[file])
        found = self.script.check_types(plugin, self.platform).findings
        if not any("pluginWorkDirectory" in line for line in found):
            raise kit.Failure(f"a member that Xcode does not have is not found, but {found}")
        return 1


def check(platform, first, names, versions, script):
    """Returns the number of mistakes, or the failure to find one. Availability is checked on each platform, since each
    has versions of its own, and most other mistakes on the first one."""
    own = Check(platform, script)
    try:
        if platform is first:
            count = own.snippets(None) + own.flow() + own.differing() + own.versions(versions)
        else:
            count = own.snippets("available") + own.conditions(first, names) + own.header(first, versions)
        if platform.name == "macos":
            count += own.integers() + own.tests() + own.plugin()
        return count
    except kit.Failure as failure:
        return failure
