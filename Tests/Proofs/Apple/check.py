"""Compiles the sources for Apple platforms up to the diagnostics of flow analysis.

Every error and warning is a failure. The targets, their settings and the oldest versions of the platforms come
from the manifests:

- Libraries, and programs that a user could run on a device: for every platform.
- The generator, the plugins, the tests and the benchmarks: for macOS.

Functions are checked for the first platform, and for each other one where the findings can differ, see differences.py.
A module whose declarations are the same on every platform is made once, and copied, and so are the modules of the
standard library and the stand-ins.

Usage: check.py --manifest FILE [--platform NAME] … [--work FOLDER] [--jobs N] [--mistakes] [--times]

FILE is the manifest of the root package as on an Apple platform, from `swift package dump-package`. With --mistakes, it
also checks that the mistakes in mistakes.py are found. With --times, it prints how long each step takes.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import time

import differences
import expectations
import headers
import kit
import mistakes
from targets import Package, manifest

ROOT = kit.HERE.parents[2]
# Packages with further targets; those that the root has as well are not compiled again.
PACKAGES = ("Benchmarks/Runtime",)


class Schedule:
    """Runs steps as soon as those that they need have run, several at a time. Those on which the most work waits are
    first, so that no processor is idle at the end."""

    def __init__(self):
        self.steps = {}

    def add(self, name, needs, action, size=0):
        """The size is that of the sources, as an estimate of the time."""
        self.steps[name] = (list(needs), action, size)

    def urgencies(self):
        """For each step, the size of the longest chain of steps that begins with it."""
        followers = {name: [] for name in self.steps}
        for name, (needs, _, _) in self.steps.items():
            for need in needs:
                followers[need].append(name)
        found = {}

        def urgency(name):
            if name not in found:
                found[name] = self.steps[name][2] + max(map(urgency, followers[name]), default=0)
            return found[name]

        return {name: urgency(name) for name in self.steps}

    def run(self, jobs):
        """The results by name. An action gets those of the steps that it needs."""
        results, running = {}, {}
        urgencies = self.urgencies()
        waiting = {name: self.steps[name] for name in sorted(self.steps, key=lambda name: -urgencies[name])}
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            while waiting or running:
                ready = [name for name, (needs, _, _) in waiting.items() if all(need in results for need in needs)]
                if not ready and not running:
                    raise kit.Failure(f"these need each other: {list(waiting)}")
                for name in ready[:jobs - len(running)]:
                    needs, action, _ = waiting.pop(name)
                    running[pool.submit(action, [results[need] for need in needs])] = name
                done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
                for future in done:
                    results[running.pop(future)] = future.result()
        return results


class Result:
    """The findings of the compiler in a target."""

    def __init__(self, output="", status=0, seconds=0):
        self.seconds = seconds
        # Whether declarations can be others than on the first platform.
        self.differs = False
        lines = [line.replace(f"{ROOT}/", "") for line in output.splitlines()]
        self.findings = [line for line in lines if re.search(r"(^|: )(error|warning): ", line)]
        if status != 0 and not self.findings:
            self.findings = lines[-30:] or ["the compiler failed without a message"]


def run_frontend(target, platform, *actions, sources=None, primary=()):
    """With primary files, the other ones are compiled only as far as these need them."""
    sources = target.sources if sources is None else sources
    files = [word for file in sources for word in (["-primary-file", file] if file in primary else [file])]
    flags = list(target.flags)
    if not any(file.name == "main.swift" for file in sources):
        flags.append("-parse-as-library")
    return kit.run(
        ["swift-frontend", *files, "-module-name", target.module, "-swift-version", "6",
         "-package-name", "treeswift", "-enable-testing", "-D", "SWIFT_PACKAGE", "-D", "DEBUG",
         "-I", platform.modules, "-I", platform.work / "maps", "-plugin-path", kit.LIBRARY / "host/plugins",
         *platform.flags, *flags, *actions])


def compile_swift(target, platform, *actions, sources=None, primary=()):
    """Runs the frontend, by default up to the diagnostics of flow analysis."""
    start = time.monotonic()
    result = run_frontend(
        target, platform, *(actions or flow_analysis(target, platform)), sources=sources, primary=primary)
    return Result(result.stdout, result.returncode, time.monotonic() - start)


def make_xcode_module(platform):
    """The stand-in for the module of Xcode that plugins import."""
    output = platform.modules / "XcodeProjectPlugin.swiftmodule"
    result = kit.run(
        ["swift-frontend", "-emit-module", kit.HERE / "XcodeProjectPlugin.swift", "-module-name",
         "XcodeProjectPlugin", "-parse-as-library", "-swift-version", "6", "-enable-upcoming-feature",
         "InternalImportsByDefault", "-o", output, *platform.flags])
    if result.returncode:
        raise kit.Failure(f"the stand-in for XcodeProjectPlugin does not compile:\n{result.stdout[:6000]}")


def flow_analysis(target, platform):
    """The action that also makes the module. Text of intermediate code takes a sixth longer."""
    # A module with errors would leave that of an earlier run.
    platform.module(target).unlink(missing_ok=True)
    if platform.name == "macos" and target.has_checked_integers:
        return ["-emit-sil", "-o", code_file(target, platform), "-emit-module-path", platform.module(target)]
    return ["-emit-module", "-o", platform.module(target)]


def check_types(target, platform):
    sources = expectations.replaced(target, platform.work / "Expectations") if target.kind == "test" else None
    return compile_swift(target, platform, "-typecheck", sources=sources)


def make_interface(target, platform, first, declared, files, is_irregular, dependencies):
    """The module for another platform than the first one, without its functions, as other modules need it. It is a copy
    if its declarations in the files are the same, `declared`. The dependencies are the results of what it imports."""
    differs = is_irregular or any(result.differs for result in dependencies if isinstance(result, Result))
    if not differs:
        differs = declared is None or declared != declarations(target, platform, files)
    if not differs:
        copy_interface(target, first, platform)
        return Result()
    # A module with errors would leave that of an earlier run.
    platform.module(target).unlink(missing_ok=True)
    result = compile_swift(
        target, platform, "-emit-module", "-experimental-skip-non-inlinable-function-bodies", "-o",
        platform.module(target))
    result.differs = True
    return result


def declarations(target, platform, files):
    """The text of all declarations in the files, without functions' bodies; None if there is a mistake in them, or if
    callers depend on bodies."""
    if not files:
        return ""
    if any(differences.shows_bodies(file.read_text()) for file in files):
        return None
    result = run_frontend(target, platform, "-print-ast-decl", primary=files)
    return None if result.returncode else result.stdout


def check_functions(target, platform, files, interface):
    """Flow analysis of the files, and of all if the declarations can be others than on the first platform."""
    if not files and not interface.differs:
        return Result()
    primary = [] if interface.differs else files
    reads_code = platform.name == "watchos" and target.has_checked_integers
    outputs = [code_file(target, platform, number) if reads_code else os.devnull
               for number in range(max(len(primary), 1))]
    result = compile_swift(
        target, platform, "-emit-sil", *(word for output in outputs for word in ("-o", output)), primary=primary)
    if reads_code:
        add_integers(result, target, outputs)
    return result


def copy_interface(target, origin, platform):
    """A module with errors has none."""
    if origin.module(target).exists():
        kit.copy_for(platform, origin, origin.module(target), platform.module(target))
    else:
        platform.module(target).unlink(missing_ok=True)


def generate(package):
    """Runs the build-tool plugin for the targets that use it."""
    for target in package.targets.values():
        if target.uses_generator:
            result = kit.run(["swift", "build", "--package-path", package.root, "--target", target.name, "--quiet"],
                             stdin=subprocess.DEVNULL)
            if result.returncode:
                raise kit.Failure(f"{target.name} cannot be generated:\n{result.stdout[-6000:]}")


def compile_and_check_integers(target, platform):
    result = compile_swift(target, platform)
    add_integers(result, target, [code_file(target, platform)])
    return result


def add_integers(result, target, outputs):
    """The findings of `int32` in the intermediate code; with errors, there is none."""
    if not result.findings:
        for output in outputs:
            result.findings += int32(output, target.module)


def code_file(target, platform, number=0):
    """The intermediate code, which is read for `int32`: on macOS, and for watchOS where it can differ."""
    return platform.work / f"{target.module}.{number}.sil"


def compile_c(target, platform):
    """Also makes the module map that SwiftPM would make."""
    include = target.folder / "include"
    folder = platform.work / "maps" / target.module
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "module.modulemap").write_text(f'module {target.module} {{ umbrella "{include}" export * }}\n')
    start = time.monotonic()
    result = kit.run(
        ["clang", "-target", platform.triple, "-isysroot", platform.sdk, "-fsyntax-only", "-Wall",
         "-I", include, *target.files(".c")])
    return Result(result.stdout, result.returncode, time.monotonic() - start)


def compare_c(target, platform, first, names):
    """Also compares the headers with those on the first platform. Modules that import them are checked in full if they
    differ, or if they contain a name that does, or availability, which has the same text on all platforms."""
    result = compile_c(target, platform)
    text = own_text(target, platform)
    result.differs = (text != own_text(target, first) or "availability" in text
                      or not names.isdisjoint(re.findall(r"\w+", text)))
    return result


def own_text(target, platform):
    """The text of a target's own headers after the preprocessor, and their macros."""
    lines, is_own = [], False
    # One at a time, since a macro of one can change another one.
    for file in target.files(".h"):
        text = headers.read(platform, f'#include "{file}"\n', "-E", "-dD", "-I", target.folder / "include")
        for line in text.splitlines():
            if marker := re.match(r'# \d+ "(.*?)"', line):
                is_own = pathlib.Path(marker.group(1)).is_relative_to(target.folder)
            elif is_own:
                lines.append(line)
    return "\n".join(lines)


# Constants of the intermediate code, and the functions and variables in which they are.
LITERAL = re.compile(r"\s*(%\d+) = integer_literal \$Builtin.Int64, (-?\d+)")
INTEGER = re.compile(r"\s*%\w+ = struct \$(U?)Int \((%\d+)")
CONTENT = re.compile(r"\s*(%\d+) = struct_extract %\w+, #U?Int\._value")
CALCULATION = re.compile(r"\s*%\d+ = builtin \"\w+\"\((.*?)\)")
OWNER = re.compile(r"^sil(?:_global)? .*@(\S+) :")


def int32(path, module):
    """Constants of Int and UInt that the 32 bits of an Apple Watch cannot hold, in the module's own functions: such
    a constant becomes an Int, or is used in a calculation with the content of one."""
    own = f"{len(module)}{module}"
    found = set()
    owner, large, contents = "", {}, set()

    def add(value):
        found.add(f"{module}: error: {value} exceeds 32 bits, in {owner}")

    with open(path, errors="replace") as text:
        for line in text:
            if line.startswith(("sil ", "sil_global ")):
                match = OWNER.match(line)
                owner, large, contents = match.group(1) if match else "", {}, set()
            elif own not in owner:
                continue
            elif "integer_literal $Builtin.Int64" in line:
                name, value = LITERAL.match(line).groups()
                # The least and the greatest value adapt to the platform.
                if not -2**31 <= int(value) < 2**31 and abs(int(value)) not in (2**63, 2**63 - 1):
                    large[name] = int(value)
            elif "struct_extract" in line and (match := CONTENT.match(line)):
                contents.add(match.group(1))
            elif large and (match := INTEGER.match(line)):
                unsigned, name = match.groups()
                if name in large and not (unsigned and 0 <= large[name] < 2**32):
                    add(large[name])
            elif large and (match := CALCULATION.match(line)):
                # Conversions to UInt32 compare with its greatest value, but not on 32 bits.
                names = set(re.findall(r"%\w+", match.group(1)))
                if names & contents:
                    for name in names & set(large):
                        if large[name] != 2**32 - 1:
                            add(large[name])
    return sorted(found)


def plan(packages, platforms, with_mistakes):
    """All steps."""
    schedule = Schedule()
    root = packages[0]
    generated = ("all", "the tests' modules")
    schedule.add(generated, [], lambda _: generate(root))
    tool = root.closure(["graphql-generator", "graphql-generate"]) - root.closure(
        [target for product in root.products if "library" in product["type"] for target in product["targets"]])
    on_devices = [target for target in root.targets.values()
                  if target.kind in ("regular", "executable") and target.name not in tool
                  and not is_for_tests(root, target)]
    first, *others = platforms
    irregular, names, differing = set(), set(), {}
    if others:
        releases = differences.Releases(root.versions, [kit.interface(module, first) for module in kit.MODULES])
        irregular = {target.name for target in on_devices if not releases.are_known
                     or any(root.targets[name].kind == "system" for name in target.dependencies)
                     or not all([releases.names_releases(file.read_text()) for file in target.sources])}
        names = headers.differing_names(platforms, root.versions, headers.IMPORTS)
        differing = {target.name: differences.differing_files(target.sources, names) for target in on_devices}

    for platform in platforms:
        is_mac = platform.name == "macos"
        modules = kit.MODULES | (kit.TEST_MODULES | kit.PLUGIN_MODULES if is_mac else {})
        for module, needs in modules.items():
            if module in kit.MODULES and platform is not first:
                # Its text is the same on every platform, and it refers to declarations of C by their names. It is
                # loaded with the modules that it imports.
                needs = [(first.name, module)] + [(platform.name, need) for need in needs]
                action = lambda _, module=module, platform=platform: kit.copy_module(module, first, platform)
            else:
                needs = [(platform.name, need) for need in needs]
                action = lambda keys, module=module, platform=platform: kit.make_module(module, platform, keys)
            schedule.add((platform.name, module), needs, action)
        library = [(platform.name, module) for module in modules]
        if is_mac:
            schedule.add((platform.name, "XcodeProjectPlugin"), library,
                         lambda _, platform=platform: make_xcode_module(platform))
        known = set()
        for package in packages:
            for target in package.targets.values():
                if target.name in known or target.kind == "system" or not (is_mac or target in on_devices):
                    continue
                known.add(target.name)
                needs = library + [
                    (platform.name, name) for name in target.dependencies
                    if name in package.targets and package.targets[name].kind not in ("system", "plugin")
                    and target.kind != "plugin"] + [generated] * target.uses_generator
                if target.kind == "plugin":
                    needs.append((platform.name, "XcodeProjectPlugin"))

                def add(name, action, target=target, platform=platform, needs=needs):
                    schedule.add((platform.name, name), needs, lambda _: action(target, platform), target.size)

                if target.is_c and platform is first:
                    add(target.name, compile_c)
                elif target.is_c:
                    add(target.name, lambda target, platform: compare_c(target, platform, first, names))
                elif target.kind in ("test", "plugin"):
                    add(target.name, check_types)
                elif target.is_one_module:
                    add(target.name, lambda target, platform: check_functions(target, platform, target.own, Result()))
                elif platform is first:
                    add(target.name, compile_and_check_integers if is_mac and target.has_checked_integers
                        else compile_swift)
                    if others and target in on_devices:
                        add(f"{target.name}, declarations", lambda target, platform: declarations(
                            target, platform, differing[target.name]))
                else:
                    # Modules that import it also need the platform's own modules that it imports.
                    schedule.add(
                        (platform.name, target.name),
                        [(first.name, f"{target.name}, declarations"), (first.name, target.name)] + needs,
                        lambda results, target=target, platform=platform: make_interface(
                            target, platform, first, results[0], differing[target.name], target.name in irregular,
                            results))
                    schedule.add(
                        (platform.name, f"{target.name}, functions"), [(platform.name, target.name)],
                        lambda results, target=target, platform=platform: check_functions(
                            target, platform, differing[target.name], *results), target.size)
        if with_mistakes:
            schedule.add(
                (platform.name, "mistakes"), library + [(platform.name, "XcodeProjectPlugin")] * is_mac
                + [(first.name, module) for module in kit.MODULES],
                lambda _, platform=platform: mistakes.check(
                    platform, first, names, root.versions, sys.modules[__name__]))
    return schedule


def is_for_tests(package, target):
    """Whether a target is in the folders of the tests."""
    return (package.root / "Tests") in target.folder.parents


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--manifest", required=True, type=argparse.FileType())
    parser.add_argument("--platform", action="append", choices=list(kit.Platform.KINDS))
    parser.add_argument("--work", default=ROOT / ".build/apple", type=pathlib.Path)
    parser.add_argument("--jobs", default=os.cpu_count(), type=int)
    parser.add_argument("--mistakes", action="store_true")
    parser.add_argument("--times", action="store_true")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    kit.make_sdk(options.work)
    packages = [Package(ROOT, options.manifest.read())]
    packages += [Package(ROOT / path, manifest(ROOT / path, options.work / "package")) for path in PACKAGES]
    root = packages[0]
    # The first platform makes what the others copy, and only macOS has all modules.
    names = sorted(dict.fromkeys(options.platform or root.versions), key=lambda name: name != "macos")
    platforms = [kit.Platform(name, root.versions[name], options.work) for name in names]
    results = plan(packages, platforms, options.mistakes).run(options.jobs)
    failed = False
    known = {name for package in packages for name in package.targets}
    for platform in platforms:
        found = {name: result for (system, name), result in results.items()
                 if system == platform.name and isinstance(result, Result)}
        if options.times:
            for name, result in found.items():
                print(f"  {name} {result.seconds:.1f} s")
        findings = list(dict.fromkeys(line for result in found.values() for line in result.findings))
        for finding in findings:
            print(finding)
        count = len({name for system, name in results if system == platform.name} & known)
        print(f"{'FAILED' if findings else 'ok'} {platform.name} {platform.version}: {count} targets")
        failed = failed or bool(findings)
    if failed:
        sys.exit(1)
    if options.mistakes:
        counts = [results[platform.name, "mistakes"] for platform in platforms]
        for failure in counts:
            if isinstance(failure, kit.Failure):
                raise failure
        print(f"ok {sum(counts)} mistakes on purpose are found")


if __name__ == "__main__":
    try:
        main()
    except kit.Failure as failure:
        sys.exit(f"{failure}")
