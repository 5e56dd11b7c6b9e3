"""The targets of a package, read from its manifest, so that none can be forgotten."""

import json
import os
import pathlib
import subprocess


def changes_more_than_imports(text):
    """Whether a condition on ONE_MODULE contains other lines than imports."""
    is_inside = False
    for line in map(str.strip, text.splitlines()):
        if line.startswith(("#if", "#elseif")) and "ONE_MODULE" in line:
            is_inside = True
        elif line == "#endif":
            is_inside = False
        elif is_inside and line not in ("", "#else") and "import" not in line.split()[:2]:
            return True
    return False


class Target:
    def __init__(self, root, description, traits):
        self.root = root
        self.name = description["name"]
        self.kind = description["type"]
        self.excluded = description.get("exclude", [])
        self.folder = root / (description.get("path") or self.default_folder)
        self.uses_generator = any(
            usage.get("plugin", [None])[0] == "GraphQLGenerator" for usage in description.get("pluginUsages") or [])
        self.dependencies = []
        for dependency in description["dependencies"]:
            (kind, (name, *rest)), = dependency.items()
            condition = rest[-1] if rest else None
            platforms = set((condition or {}).get("platformNames", []))
            if platforms not in (set(), {"linux"}):
                raise SystemExit(f"{self.name}: the condition of {name} is unknown to {__file__}: {sorted(platforms)}")
            if kind in ("byName", "target") and not platforms:
                self.dependencies.append(name)
        # With the code of all traits; the build on Linux compiles without it.
        self.flags = [flag for trait in traits for flag in ("-D", trait)]
        for setting in description.get("settings", []):
            (name, value), = setting["kind"].items()
            if setting["tool"] != "swift":
                continue
            if setting.get("condition"):
                raise SystemExit(f"{self.name}: the condition of {name} is unknown to {__file__}")
            if name == "enableUpcomingFeature":
                self.flags += ["-enable-upcoming-feature", value["_0"]]
            elif name == "strictMemorySafety":
                self.flags.append("-strict-memory-safety")
            elif name == "define":
                self.flags += ["-D", value["_0"]]
            elif name == "swiftLanguageMode":
                # The check uses the mode of Swift 6 for all targets, which finds more.
                pass
            else:
                raise SystemExit(f"{self.name}: the setting {name} is unknown to {__file__}")

    @property
    def default_folder(self):
        parent = {"test": "Tests", "plugin": "Plugins"}.get(self.kind, "Sources")
        return f"{parent}/{self.name}"

    @property
    def module(self):
        return self.name.replace("-", "_")

    def files(self, suffix):
        """The files, also in folders that are links."""
        excluded = [self.folder / path for path in self.excluded]
        found = []
        for folder, _, names in os.walk(self.folder, followlinks=True):
            found += [pathlib.Path(folder) / name for name in names if name.endswith(suffix)]
        return sorted(file for file in found if not any(file == path or path in file.parents for path in excluded))

    @property
    def sources(self):
        """The Swift files, with those that the build-tool plugin has generated."""
        return self.files(".swift") + self.generated

    @property
    def generated(self):
        if not self.uses_generator:
            return []
        pattern = f"plugins/outputs/*/{self.name}/destination/GraphQLGenerator/Generated/*.swift"
        found = sorted((self.root / ".build").glob(pattern))
        if not found:
            raise SystemExit(f"{self.name} has not been generated; type: swift build --target {self.name}")
        return found

    @property
    def has_checked_integers(self):
        """Whether its constants are searched for those that 32 bits cannot hold."""
        return self.kind == "regular" and not self.is_c and self.root / "Tests" not in self.folder.parents

    @property
    def is_one_module(self):
        """Whether it compiles the files of several targets again, as one module. Then only its `own` ones are
        checked."""
        return "ONE_MODULE" in self.flags

    @property
    def own(self):
        """The files that are not linked. In linked ones, the setting may change nothing but imports. Names that are not
        unique in the one module are found on Linux."""
        own = []
        for file in self.sources:
            if file.resolve().is_relative_to(self.folder):
                own.append(file)
            elif changes_more_than_imports(file.read_text()):
                raise SystemExit(f"{file}: ONE_MODULE changes more than imports, so its code is not checked")
        return own

    @property
    def size(self):
        return sum(file.stat().st_size for file in self.files(".swift"))

    @property
    def is_c(self):
        return bool(self.files(".c"))


def manifest(root, scratch):
    """The text of a manifest; the folder for it is not the usual one, which a build locks."""
    return subprocess.run(
        ["swift", "package", "--package-path", root, "--scratch-path", scratch, "dump-package"], check=True,
        stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True).stdout


class Package:
    def __init__(self, root, text):
        self.root = pathlib.Path(root).resolve()
        manifest = json.loads(text)
        self.versions = {platform["platformName"]: platform["version"] for platform in manifest["platforms"]}
        self.products = manifest["products"]
        traits = [trait["name"] for trait in manifest.get("traits", []) if trait["name"] != "default"]
        self.targets = {}
        for description in manifest["targets"]:
            target = Target(self.root, description, traits)
            self.targets[target.name] = target
        system = [target.folder for target in self.targets.values() if target.kind == "system"]
        for target in self.targets.values():
            target.flags += [word for folder in system for word in ("-I", str(folder))]

    def closure(self, names):
        """The targets and all that they depend on."""
        found, rest = set(), list(names)
        while rest:
            name = rest.pop()
            if name in self.targets and name not in found:
                found.add(name)
                rest += self.targets[name].dependencies
        return found
