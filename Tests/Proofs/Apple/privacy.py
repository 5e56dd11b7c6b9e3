"""Checks the privacy manifests: each module that uses a function for which Apple requires a reason has a manifest,
with the right reason, that Package.swift makes a resource on Apple platforms.

Usage: privacy.py MANIFEST, the output of `swift package dump-package` as on an Apple platform.
"""

import json
import pathlib
import plistlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
NAME = "PrivacyInfo.xcprivacy"

# The functions of Apple's list, by category; and the reasons for which the modules use them.
FUNCTIONS = {
    "FileTimestamp": r"\b[fl]?stat\((?!\))|\bfstatat\(|\bgetattrlist|[mM]odificationDate|[cC]reationDate|attributesOfItem",
    "SystemBootTime": r"\bsystemUptime\b|\bmach_absolute_time\b",
    "DiskSpace": r"\bvolume\w*Capacity|\bsystemFreeSize\b|\bsystemSize\b|\bf?statv?fs\(|\bstatvfs\b",
    "ActiveKeyboards": r"\bactiveInputModes\b",
    "UserDefaults": r"\bUserDefaults\b",
}
# Files in the app's own container, its app groups and its iCloud container.
REASONS = {"FileTimestamp": ["C617.1"]}


def categories(folder):
    text = "".join(re.sub(r"//.*", "", file.read_text()) for file in folder.rglob("*.swift"))
    return {name for name, functions in FUNCTIONS.items() if re.search(functions, text)}


def expected(names):
    return {
        "NSPrivacyTracking": False,
        "NSPrivacyTrackingDomains": [],
        "NSPrivacyCollectedDataTypes": [],
        "NSPrivacyAccessedAPITypes": [
            {"NSPrivacyAccessedAPIType": f"NSPrivacyAccessedAPICategory{name}",
             "NSPrivacyAccessedAPITypeReasons": REASONS[name]}
            for name in sorted(names)],
    }


def problems(package):
    libraries = {name for product in package["products"] if "library" in product["type"] for name in product["targets"]}
    targets = {target["name"]: target for target in package["targets"]}
    found = 0
    for name in sorted(libraries):
        target = targets[name]
        folder = ROOT / (target.get("path") or f"Sources/{name}")
        used = categories(folder)
        file = folder / NAME
        if used - set(REASONS):
            yield f"{name} uses {used}, without a reason in {__file__}"
        elif used and not file.exists():
            yield f"{name} has no {NAME}, and uses {used}"
        elif file.exists():
            found += 1
            if plistlib.loads(file.read_bytes()) != expected(used):
                yield f"{name}/{NAME} does not state exactly {used}"
            if not any(resource["path"] == NAME and "copy" in resource["rule"] for resource in target["resources"]):
                yield f"Package.swift does not list {name}/{NAME}"
    if found == 0:
        yield "there is no privacy manifest"


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        sys.exit("\n".join(problems(json.load(file))) or None)
