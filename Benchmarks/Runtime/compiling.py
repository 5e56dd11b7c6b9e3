"""Functions of these scripts: they run the compiler as SwiftPM does, and measure a run."""
import json
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# SwiftPM's options.
FLAGS = {
    "debug": ["-Onone", "-g", "-enable-testing", "-enable-batch-mode", "-j2"],
    "release": ["-O", "-g", "-wmo", "-num-threads", "2"],
}


def run(command, **options):
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)
    if result.returncode != 0:
        errors = [line for line in (result.stdout + result.stderr).splitlines() if "error" in line]
        sys.exit("failed: " + " ".join(map(str, command[:6])) + "\n" + "\n".join(errors[:10]))
    return result.stdout


def measured(command, folder):
    """Runs a command; CPU is user and system time of it and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    run(command, cwd=folder)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return {"cpu": cpu, "wall": wall}


def built(mode, *targets, package=ROOT):
    """Builds targets or products of a package and returns the folder of the results."""
    for target in targets:
        run(["swift", "build", "-c", mode, *target], cwd=package)
    return Path(run(["swift", "build", "-c", mode, "--show-bin-path"], cwd=package).strip())


def compile_module(mode, module, sources, folder, language="6", modules=None, include=(), incremental=False):
    """Compiles sources as one module into object files in a folder; returns the cost.

    An incremental build in the same folder compiles only what has changed, and what depends on that.

    Every object file is named: the driver's own temporary files run out with hundreds of sources.
    """
    objects = {str(source): {"object": f"{folder}/{number}.o"} |
               ({"swift-dependencies": f"{folder}/{number}.swiftdeps"} if incremental else {})
               for number, source in enumerate(sources)}
    names = Path(folder) / "output-file-map.json"
    names.write_text(
        json.dumps(objects | {"": {"swift-dependencies": f"{folder}/module.swiftdeps"}}))
    return measured(
        ["swiftc", "-c", "-parse-as-library", "-suppress-warnings", "-module-name", module,
         "-swift-version", language, *FLAGS[mode], *search_paths(modules), *include,
         *(["-incremental"] if incremental else []), "-emit-module", "-emit-module-path", f"{module}.swiftmodule",
         "-output-file-map", names, *sources],
        folder)


def search_paths(modules):
    """The compiler's options to find the runtime's modules in a folder of built ones."""
    return ["-I", modules, "-I", modules.parent / "CTreeswiftAtomics.build"] if modules else []


def generate(tool, schema, folder, configuration):
    """Runs the generator into a new folder; returns the files and the cost."""
    path = Path(folder) / "graphql-generator.json"
    path.write_text(json.dumps(configuration))
    output = Path(folder) / "Generated"
    shutil.rmtree(output, ignore_errors=True)
    cost = measured(
        [tool, "generate", "--schema", schema, "--config", path, "--output", output, "--quiet"],
        folder)
    return sorted(output.glob("*.swift")), cost


# The libraries that most users need.
LIBRARIES = ["GraphQLRuntime", "GraphClient"]


def treeswift():
    """The dependency on this checkout, and the package's name."""
    return f'.package(name: "Treeswift", path: "{ROOT}")', "Treeswift"


def options_with_peer(parser):
    """The options of a script that compares with a library of another package."""
    parser.add_argument("--peer")
    parser.add_argument("--product")
    options = parser.parse_args()
    if (options.peer is None) != (options.product is None):
        parser.error("--peer and --product belong together")
    return options


def peer(url):
    """The dependency on another package, in any version, and the package's name."""
    return f'.package(url: "{url}", "0.0.0"..<"100.0.0")', Path(url).name.removesuffix(".git")


def consumer(folder, dependency=None, package=None, products=(), plugin=None):
    """Writes a package with one file, the products and the plugin."""
    (folder / "Sources/App").mkdir(parents=True)
    # Apps import Foundation, and the first module that does builds the modules of the system's C headers.
    (folder / "Sources/App/App.swift").write_text("public import Foundation\n\npublic let answer = Date()\n")
    used = ", ".join(f'.product(name: "{name}", package: "{package}")' for name in products)
    plugins = f'.plugin(name: "{plugin}", package: "{package}")' if plugin else ""
    if plugin:
        (folder / "Sources/App/schema.graphqls").write_text("type Query { name: String }\n")
    (folder / "Package.swift").write_text(f"""\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "{folder.name}", platforms: [.macOS(.v14)],
  dependencies: [{dependency or ""}],
  targets: [.target(name: "App", dependencies: [{used}], plugins: [{plugins}])])
""")
    return folder
