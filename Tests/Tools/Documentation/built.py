"""The modules that `swift build` has made: how to compile against them, and their declarations."""
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

# The library products that have documentation, each after those that it imports.
LIBRARIES = [
    "GraphJSON", "GraphQLSchema", "GraphQLPrinting", "GraphQLExecution", "GraphQLComparison",
    "GraphQLCodeGen", "GraphQLRuntime", "GraphClient", "GraphWebSocket", "GraphRateLimits", "GraphLive",
    "GraphValkey", "GraphTelemetry", "GraphTesting", "GraphStore", "GraphOutbox", "GraphCompatibility",
    "GraphCompatibilityTesting",
]
# The modules of a program that uses everything.
C_MODULES = ["CCurl", "CHiredis", "CTreeswiftAtomics"]
LINKED = LIBRARIES + ["GraphStorage", "StorefrontAPI"] + C_MODULES


def output(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def tool(name):
    """A tool of the toolchain. Those of Xcode are not in PATH."""
    return output("xcrun", "--find", name).strip() if sys.platform == "darwin" else name


def sdk():
    """The option for a tool that, other than `swiftc`, does not find the SDK itself."""
    return ["-sdk", output("xcrun", "--show-sdk-path").strip()] if sys.platform == "darwin" else []


def build():
    """Builds the package and returns the folder of its products."""
    subprocess.run(["swift", "build", "--quiet"], cwd=ROOT, check=True)
    return Path(output("swift", "build", "--show-bin-path").strip())


def search_paths(bins):
    """The compiler's options to find the package's modules."""
    folders = [bins / "Modules", ROOT / "Sources/CSQLite"]
    folders += [bins / f"{module}.build" for module in C_MODULES]
    return [flag for folder in folders for flag in ("-I", str(folder))]


def link_flags(bins):
    """The linker's options for a program that uses the package's modules."""
    return [path for module in LINKED for path in objects(bins / f"{module}.build")] + ["-lsqlite3"]


def objects(folder):
    """The object files of a module; the folder may have others, of deleted sources."""
    file_map = folder / "output-file-map.json"
    if not file_map.exists():
        return sorted(str(path) for path in folder.rglob("*.o"))
    outputs = json.loads(file_map.read_text()).values()
    return sorted(output["object"] for output in outputs if "object" in output)


def symbol_graphs(bins, module, folder):
    """Writes the public declarations of a module as symbol graphs into a folder."""
    triple = json.loads(output("swiftc", "-print-target-info"))["target"]["triple"]
    subprocess.run(
        [tool("swift-symbolgraph-extract"), "-module-name", module, *search_paths(bins), *sdk(),
         "-target", triple, "-output-dir", str(folder), "-minimum-access-level", "public",
         "-skip-synthesized-members", "-emit-extension-block-symbols"],
        check=True, capture_output=True)


def generate_documents(bins, folder, names, directives=(), of_client=()):
    """Generates the code of documents in a folder for the example schema, as the plugin does. The directives are
    files of the schema, and the names of those for the client. Returns the files, of which there are none after an
    error, and the messages."""
    configuration = json.loads((ROOT / "graphql-generator.json").read_text())
    configuration["clientDirectives"] = list(of_client)
    config = folder / "graphql-generator.json"
    config.write_text(json.dumps(configuration))
    result = subprocess.run(
        [str(bins / "graphql-generator"), "generate", "--quiet", "--documents-only",
         "--schema", str(ROOT / "schema.graphql"), *map(str, directives), "--config", str(config),
         "--schema-module", "StorefrontAPI", "--output", "Generated", "--documents", *names],
        cwd=folder, capture_output=True, text=True)
    files = sorted((folder / "Generated").glob("*.swift")) if result.returncode == 0 else []
    return files, result.stdout + result.stderr
