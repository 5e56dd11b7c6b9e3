"""Makes the library and the headers for an Apple platform, on Linux and from open sources.

- The Swift toolchain for Linux includes the compiler's support of Apple's targets, and the standard library as
  text whose declarations state since which macOS, iOS, … they exist. That text is compiled for the Apple target.
- The wheel `ziglang` contains the C headers that Apple publishes under open licences. Only files that name such a
  licence are used.
- `StandIns` declares what the sources use of Objective-C, Dispatch and Foundation, and what Swift adds to Darwin.

Nothing of Apple's SDKs is used.
"""

import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
STAND_INS = HERE / "StandIns"
TOOLCHAIN = pathlib.Path(shutil.which("swift")).resolve().parent.parent
LIBRARY = TOOLCHAIN / "lib/swift"
LINUX = "x86_64-unknown-linux-gnu"
# The headers are the same in every later version.
WHEEL = "ziglang==0.17.1"

OPEN_LICENCE = re.compile(
    r"APPLE_LICENSE_HEADER|APPLE_OSREFERENCE_LICENSE|Apple Public Source|APPLE_APACHE|Apache License|"
    r"Redistribution and use in source|Regents of the University|Permission to use, copy, modify|zlib|"
    r"Permission is hereby granted|public domain|Carnegie Mellon|LLVM", re.I)

# The modules of C headers, as module maps name them.
C_MODULES = {
    "Darwin": """assert ctype dirent dlfcn errno fcntl fnmatch glob grp inttypes locale malloc/malloc math netdb
        net/if netinet/in netinet/tcp arpa/inet poll pthread pwd sched semaphore signal spawn stdio stdlib string
        strings sys/attr sys/event sys/file sys/ioctl sys/mman sys/mount sys/param sys/resource sys/select
        sys/socket sys/stat sys/statvfs sys/sysctl sys/time sys/times sys/types sys/un sys/utsname sys/wait
        sys/clonefile sys/random termios time unistd copyfile libproc mach/mach_time os/lock""",
    "ObjectiveC": "objc/objc objc/NSObjCRuntime objc/NSObject",
    "os_object": "os/object",
    "os_base": "os/base os/availability",
    "Dispatch": "dispatch/dispatch",
    "SQLite3": "sqlite3",
}

# The library's modules, each with those that it imports.
MODULES = {
    "Swift": [],
    "SwiftOnoneSupport": ["Swift"],
    "_Concurrency": ["Swift"],
    "_StringProcessing": ["Swift"],
    "_Builtin_float": ["Swift"],
    "Darwin": ["_Builtin_float"],
    "Synchronization": ["Darwin"],
    "Observation": ["_Concurrency"],
    "ObjectiveC": ["Darwin"],
    "Dispatch": ["ObjectiveC", "_Concurrency"],
    "Foundation": ["Dispatch", "_StringProcessing"],
    "os": ["Swift"],
    "SwiftUI": ["Foundation"],
}
# For tests only.
TEST_MODULES = {
    "_TestDiscovery": ["Darwin"],
    "_TestingInterop": ["Darwin"],
    "Testing": ["Darwin", "_Concurrency", "SwiftOnoneSupport"],
}
# For plugins only.
PLUGIN_MODULES = {"PackagePlugin": ["Foundation"]}
# The imports of the stand-ins. `@` exports the import; `@` alone is the C module of the same name.
STAND_IN_IMPORTS = {
    "Darwin": ["Swift", "@", "@_Builtin_float"],
    "ObjectiveC": ["Swift", "@"],
    "Dispatch": ["Swift", "_Concurrency", "Darwin", "ObjectiveC", "@"],
    "PackagePlugin": ["Swift", "@Foundation"],
    "os": ["Swift"],
    "SwiftUI": ["Swift", "@Foundation"],
    "Foundation": ["Swift", "_Concurrency", "_StringProcessing", "@Darwin", "@ObjectiveC", "@Dispatch", "@"],
}

# Declarations that these modules have on Apple's platforms only, and that the compiler looks for.
ADDITIONS = {
    "Swift": """
@frozen public struct AutoreleasingUnsafeMutablePointer<Pointee> : Swift._Pointer {
  public let _rawValue: Builtin.RawPointer
  @_transparent public init(_ _rawValue: Builtin.RawPointer) { self._rawValue = _rawValue }
  @inlinable public var pointee: Pointee { get { fatalError() } nonmutating set { fatalError() } }
}
public func _bridgeAnyObjectToAny(_ object: Swift.AnyObject?) -> Any
extension Swift.Error { public func _getEmbeddedNSError() -> Swift.AnyObject? }
public func _getErrorEmbeddedNSError<T>(_ error: T) -> Swift.AnyObject? where T : Swift.Error
""",
    "_Concurrency": """
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
public func _runTaskForBridgedAsyncMethod(
  @_inheritActorContext _ body: __owned @escaping @Sendable () async -> Swift.Void)
""",
    "Synchronization": """
@_alwaysEmitIntoClient internal func _swift_stdlib_gettid() -> Swift.UInt32 { 0 }
""",
}


class Failure(Exception):
    """A step that is not a finding about the sources failed."""


class Platform:
    """A platform with the oldest version that the manifest allows."""

    # Name in the manifest: name in the triple, folder of the library, stem of its files, suffix of the triple.
    # Simulators, since only they have the processor of the library's text.
    KINDS = {
        "macos": ("macosx", "macosx", "macos", ""),
        "ios": ("ios", "iphonesimulator", "ios-simulator", "-simulator"),
        "tvos": ("tvos", "appletvsimulator", "tvos-simulator", "-simulator"),
        "watchos": ("watchos", "watchsimulator", "watchos-simulator", "-simulator"),
        "visionos": ("xros", "xrsimulator", "xros-simulator", "-simulator"),
    }

    def __init__(self, name, version, work):
        system, self.folder, stem, suffix = self.KINDS[name]
        self.name = name
        # As in `#if os(…)`.
        self.condition = "macOS" if name == "macos" else name.replace("os", "OS")
        self.version = version
        # The version has leading zeros, so that the triples of all platforms have one length, see `copy_for`.
        zeros = "0" * (40 - len(f"x86_64-apple-{system}{version}{suffix}"))
        self.triple = f"x86_64-apple-{system}{zeros}{version}{suffix}"
        self.file = f"x86_64-apple-{stem}"
        self.sdk = work / "sdk"
        self.work = work / name
        self.resources = self.work / "resources"
        self.modules = self.work / "modules"
        # `canImport` would find modules of targets that do not exist any more, and the compiler their headers.
        for folder in (self.modules, self.work / "maps"):
            shutil.rmtree(folder, ignore_errors=True)
        self.modules.mkdir(parents=True)
        self.resources.mkdir(exist_ok=True)
        for part in ("shims", "clang", "apinotes"):
            (self.resources / part).unlink(missing_ok=True)
            (self.resources / part).symlink_to(LIBRARY / part)

    def module(self, target):
        return self.modules / f"{target.module}.swiftmodule"

    @property
    def flags(self):
        return ["-target", self.triple, "-sdk", str(self.sdk), "-resource-dir", str(self.resources),
                "-module-cache-path", str(self.work / "cache")]


def run(arguments, **options):
    return subprocess.run(
        [str(argument) for argument in arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace", **options)


def make_sdk(work):
    """The headers and module maps, in a folder with the structure of an SDK."""
    sdk = work / "sdk"
    sqlite = pathlib.Path("/usr/include/sqlite3.h")
    if not sqlite.exists():
        raise Failure("the headers of SQLite are missing: apt-get install libsqlite3-dev")
    key = digest(*sorted((STAND_INS / "Headers").iterdir()), sqlite, text=repr(C_MODULES) + VERSIONS + WHEEL)
    mark = sdk / "key"
    if mark.exists() and mark.read_text() == key:
        return
    shutil.rmtree(sdk, ignore_errors=True)
    headers = sdk / "usr/include"
    framework = sdk / "System/Library/Frameworks/Foundation.framework"
    for folder in (headers, framework / "Headers", framework / "Modules"):
        folder.mkdir(parents=True)
    unpack_headers(download(work), headers)
    own = STAND_INS / "Headers"
    for file in own.glob("*.h"):
        target = {"NSObject": headers / "objc", "NSObjCRuntime": headers / "objc", "workgroup": headers / "os"}
        shutil.copy(file, target.get(file.stem, framework / "Headers"))
    shutil.copy(own / "Foundation.modulemap", framework / "Modules/module.modulemap")
    shutil.copy(sqlite, headers)
    maps = ""
    for module, names in C_MODULES.items():
        lines = "".join(f'  header "{name}.h"\n' for name in names.split())
        maps += f"module {module} [system] [extern_c] {{\n{lines}  export *\n}}\n"
    (headers / "module.modulemap").write_text(maps)
    (sdk / "SDKSettings.json").write_text(VERSIONS)
    mark.write_text(key)


# visionOS has its own versions: the compiler derives the availability there from that on iOS, by this table of
# the SDK, which is written here from the versions that Apple released together. With the version of
# a newer SDK, the compiler would not search the folders of its resources, where the standard library has headers.
VERSIONS = """{
  "Version": "1.0", "CanonicalName": "xrsimulator1.0", "MaximumDeploymentTarget": "26.99",
  "VersionMap": {
    "iOS_visionOS": {
      "13.0": "1.0", "14.0": "1.0", "15.0": "1.0", "16.0": "1.0", "17.0": "1.0", "17.1": "1.0", "17.2": "1.0",
      "17.4": "1.1", "17.5": "1.2", "18.0": "2.0", "18.1": "2.1", "18.2": "2.2", "18.4": "2.4", "18.5": "2.5",
      "26.0": "26.0", "26.1": "26.1", "26.2": "26.2"
    },
    "visionOS_iOS": {
      "1.0": "17.1", "1.1": "17.4", "1.2": "17.5", "2.0": "18.0", "2.1": "18.1", "2.2": "18.2", "2.4": "18.4",
      "2.5": "18.5", "26.0": "26.0", "26.1": "26.1", "26.2": "26.2"
    }
  }
}
"""


def number(version):
    """A version for comparisons."""
    return tuple(int(part) for part in (version.split(".") + ["0", "0"])[:3])


def visionos_version(ios):
    """The version that has what a version of iOS has. They have the same numbers since 26."""
    if number(ios)[0] >= 26:
        return ios
    table = json.loads(VERSIONS)["VersionMap"]["iOS_visionOS"]
    known = [version for version in table if number(version) <= number(ios)]
    return table[max(known, key=number)] if known else "1.0"


def download(work):
    """The wheel with the headers."""
    folder = work / "wheel"
    pattern = WHEEL.replace("==", "-") + "-*.whl"
    found = list(folder.glob(pattern))
    if not found:
        result = run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, WHEEL])
        found = list(folder.glob(pattern))
        if result.returncode or not found:
            raise Failure(f"pip cannot download {WHEEL}:\n{result.stdout}")
    return found[0]


def unpack_headers(wheel, folder):
    mark = "lib/libc/include/any-darwin-any/"
    count = 0
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if mark not in name or not name.endswith((".h", ".modulemap")):
                continue
            data = archive.read(name)
            if not OPEN_LICENCE.search(data[:6000].decode(errors="replace")):
                continue
            path = folder / name.split(mark)[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            count += 1
    if count < 100:
        raise Failure(f"{wheel.name} has only {count} headers")


def interface(module, platform):
    """The text of a module of the library for a platform."""
    imports = STAND_IN_IMPORTS.get(module)
    if imports is None:
        path = LIBRARY / f"linux/{module}.swiftmodule/{LINUX}.swiftinterface"
        text = path.read_text()
        text = re.sub(r"-target \S+", f"-target {platform.triple}", text, count=1)
        text = text.replace("-static ", "").replace("-disable-objc-interop", "")
        text = re.sub(r"^import Glibc$", "import Darwin", text, flags=re.M)
        text = re.sub(r"^ *@backDeployed\(.*\)\n", "", text, flags=re.M)
        if module == "Swift":
            # A requirement that errors have on Apple's platforms only.
            last = "var _userInfo: Swift.AnyObject? { get }\n"
            text = text.replace(last, last + "  func _getEmbeddedNSError() -> Swift.AnyObject?\n", 1)
            text = without_bodies(text).replace(" -O ", " -Onone ", 1)
        if module == "Testing":
            # Its macros are used without their expansions, see `expectations`.
            text = re.sub('"(?:Test|Suite)DeclarationMacro"', '"PragmaMacro"', text)
            text += (STAND_INS / "Testing.swiftinterface").read_text()
        return text + ADDITIONS.get(module, "")
    compiler = (LIBRARY / f"linux/Swift.swiftmodule/{LINUX}.swiftinterface").read_text().split("\n")[1]
    head = ["// swift-interface-format-version: 1.0", compiler,
            f"// swift-module-flags: -target {platform.triple} -enable-library-evolution -swift-version 5 "
            f"-module-name {module}"]
    for name in imports:
        exported = "@_exported " if name.startswith("@") else ""
        head.append(f"{exported}import {name.removeprefix('@') or module}")
    text = "\n".join(head) + "\n" + declarations(module)
    if module == "PackagePlugin":
        text = text.replace("-module-name", "-package-description-version 6.2 -module-name")
    return text + foundation_tables() if module == "Foundation" else text


def declarations(module):
    """The text of a stand-in; nothing for a module of the library."""
    if module not in STAND_IN_IMPORTS:
        return ""
    files = [STAND_INS / f"{module}.swiftinterface"]
    if module == "Foundation":
        files = sorted((STAND_INS / "Foundation").glob("*.swiftinterface"))
    return "".join(file.read_text() for file in files)


# A declaration whose body begins at the end of the line.
DECLARATION = re.compile(
    r"^\s*(?:@\S+(?:\([^)]*\))?\s+)*(?:(?:public|internal|open|package|final|static|class|mutating|nonmutating|"
    r"prefix|postfix|convenience|required|override|__consuming|borrowing|consuming|nonisolated) )*"
    r"(func|init|var|subscript)\b.*\{\s*$")
ACCESSOR = re.compile(
    r"^\s*(?:@inline\(\w+\) |@_alwaysEmitIntoClient )*((?:mutating |nonmutating |__consuming )?"
    r"(?:get|set|_modify|_read))(?:\(\w+\))?((?: async)?(?: throws(?:\(\S+\))?)?) \{")


def without_bodies(text):
    """The interface with declarations instead of most bodies that it has for the optimiser: it compiles in less than
    half the time. Transparent functions keep theirs, since diagnostics depend on them."""
    lines = text.split("\n")
    result = []
    position = 0
    while position < len(lines):
        line = lines[position]
        end, accessors = None, ""
        match = DECLARATION.match(line)
        is_for_optimiser = "@_alwaysEmitIntoClient" in line or (
            "@inlinable" in line and "@_transparent" not in line)
        if match and is_for_optimiser and "-> some" not in line:
            end = closing_line(lines, position)
            if end and match.group(1) in ("var", "subscript"):
                accessors = accessors_between(lines, position, end)
        if end is None or accessors is None:
            result.append(line)
            position += 1
            continue
        declaration = re.sub("@(?:inlinable|_alwaysEmitIntoClient|_transparent) ", "", line.rstrip()[:-1].rstrip())
        # The attributes implied that other modules can use it.
        if not re.search(" public | open |@usableFromInline ", line) and result[-1].strip() != "@usableFromInline":
            declaration = re.sub(r"^( *)", r"\1@usableFromInline ", declaration)
        result.append(declaration + accessors)
        position = end + 1
    return "\n".join(result)


def accessors_between(lines, start, end):
    """The accessors of a property or a subscript, without bodies; None if there is something else."""
    found = ""
    position = start + 1
    while position < end:
        match = ACCESSOR.match(lines[position])
        last = position if lines[position].rstrip().endswith("}") else closing_line(lines, position)
        if not match or last is None:
            return None
        found += f" {match.group(1)}{match.group(2)}"
        position = last + 1
    return f" {{{found} }}"


def closing_line(lines, start):
    """The line with nothing but the brace that ends a body; None if the body ends in another way."""
    depth = 0
    for position in range(start, len(lines)):
        code = re.sub(r'"(?:[^"\\]|\\.)*"', "", lines[position])
        depth += code.count("{") - code.count("}")
        if depth == 0:
            return position if lines[position].strip() == "}" else None
    return None


def foundation_tables():
    """The declarations that follow from the tables of bridged values and of errors."""
    text = ""
    for line in lines(STAND_INS / "Foundation/bridging.txt"):
        value, thing = line.split()
        spelled = {"Swift.Array": "<Element>", "Swift.Set": "<Element>", "Swift.Dictionary": "<Key, Value>"}
        own = value + spelled.get(value, "")
        text += f"""extension {value} : Swift._ObjectiveCBridgeable {{
  public func _bridgeToObjectiveC() -> {thing}
  public static func _forceBridgeFromObjectiveC(_ thing: {thing}, result: inout {own}?)
  public static func _conditionallyBridgeFromObjectiveC(_ thing: {thing}, result: inout {own}?) -> Swift.Bool
  public static func _unconditionallyBridgeFromObjectiveC(_ thing: {thing}?) -> {own}
}}
"""
    for line in lines(STAND_INS / "Foundation/errors.txt"):
        error, codes = line.split(":")
        members = "".join(
            f"  public static var {code}: Foundation.{error}.Code {{ get }}\n" for code in codes.split())
        text += f"extension Foundation.{error} {{\n{members}}}\nextension Foundation.{error}.Code {{\n{members}}}\n"
    return text


def lines(path):
    return [line for line in path.read_text().splitlines() if line and not line.startswith("#")]


def copy_module(module, origin, platform):
    """Makes a module of the library from that of another platform, which has a target of the same length. Returns its
    key."""
    if re.search(r"^\s*#(if|elseif)\b", declarations(module), re.M):
        raise Failure(f"{module} has a condition, so it cannot be copied from {origin.name} to {platform.name}")
    path = lambda owner: owner.resources / owner.folder / f"{module}.swiftmodule/{owner.file}.swiftmodule"
    mark = path(platform).with_suffix(".key")
    key = digest(text=path(origin).with_suffix(".key").read_text() + platform.triple)
    if not (path(platform).exists() and mark.exists() and mark.read_text() == key):
        mark.unlink(missing_ok=True)
        copy_for(platform, origin, path(origin), path(platform))
        mark.write_text(key)
    return key


def copy_for(platform, origin, source, destination):
    """Copies a module of another platform, whose target has the same length. It may import what depends on the
    platform: a module refers to declarations of others by their names."""
    data = source.read_bytes()
    if origin.triple.encode() not in data:
        raise Failure(f"the module {source} does not name its target")
    destination.parent.mkdir(parents=True, exist_ok=True)
    destination.write_bytes(data.replace(origin.triple.encode(), platform.triple.encode()))


def make_module(module, platform, imported):
    """Compiles a module of the library; `imported` are the keys of those that it imports. Returns its key."""
    text = interface(module, platform)
    key = digest(text=text + "".join(imported) + (platform.sdk / "key").read_text())
    source = platform.work / "interfaces" / f"{module}.swiftinterface"
    output = platform.resources / platform.folder / f"{module}.swiftmodule/{platform.file}.swiftmodule"
    mark = output.with_suffix(".key")
    if output.exists() and mark.exists() and mark.read_text() == key:
        return key
    mark.unlink(missing_ok=True)
    source.parent.mkdir(exist_ok=True)
    output.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(text)
    words = re.search(r"swift-module-flags: (.*)", text).group(1).split()
    flags = []
    for position, word in enumerate(words):
        if word in ("-enable-experimental-feature", "-enable-upcoming-feature"):
            flags += words[position:position + 2]
        if word in ("-parse-stdlib", "-enable-builtin-module", "-disable-objc-attr-requires-foundation-module"):
            flags.append(word)
    if "@" in STAND_IN_IMPORTS.get(module, []):
        flags.append("-import-underlying-module")
    result = run(
        ["swift-frontend", "-compile-module-from-interface", source, "-o", output, "-module-name", module,
         "-disable-availability-checking", *platform.flags, *flags])
    if result.returncode:
        raise Failure(f"{module} does not compile for {platform.name}:\n{result.stdout[:6000]}")
    mark.write_text(key)
    return key


def digest(*paths, text=""):
    sum = hashlib.sha256(text.encode())
    for path in paths:
        sum.update(path.read_bytes())
    return sum.hexdigest()
