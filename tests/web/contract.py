"""Make web/api.d.ts of the API's description, and check the pages by it: `python -m tests.web.contract`.

Types are checked strictly, and what a file exports some other one imports.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tableside.adapters.web.openapi import openapi_document

ROOT = Path(__file__).resolve().parents[2]
_EXPORT = re.compile(r"^export (?:async )?(?:function\*?|const|let|class) (\w+)", re.MULTILINE)
_IMPORT = re.compile(r"import\s+(?:(\*)\s+as\s+\w+|\{([^}]*)\})\s+from\s+\"(\.[^\"]+)\"")
_LATER = re.compile(r"import\(\"(\.[^\"]+)\"\)")
TOOLS = ROOT / "tests" / "web" / "node_modules" / ".bin"


def make_types() -> None:
    """Write what the API takes and answers as types."""
    with TemporaryDirectory() as folder:
        document = Path(folder) / "openapi.json"
        document.write_text(json.dumps(openapi_document()), encoding="utf-8")
        target = ROOT / "web" / "api.d.ts"
        subprocess.run([TOOLS / "openapi-typescript", document, "-o", target], check=True, capture_output=True)


def faults() -> list[str]:
    """Return what the checker says of the pages' files; what others wrote is theirs to check."""
    told = subprocess.run(
        [TOOLS / "tsc", "-p", "web/jsconfig.json"], cwd=ROOT, check=False, capture_output=True, text=True
    )
    return [line for line in told.stdout.splitlines() if line.startswith("web/") and not line.startswith("web/vendor/")]


def unused(pages: list[Path]) -> list[str]:
    """Return what files export and no other one imports."""
    texts = {path: path.read_text(encoding="utf-8") for path in pages}
    imported: set[tuple[Path, str]] = set()
    for path, text in texts.items():
        for whole, names, of in _IMPORT.findall(text):
            target = (path.parent / of).resolve()
            imported |= (
                {(target, "*")} if whole else {(target, one.split()[0]) for one in names.split(",") if one.strip()}
            )
        imported |= {((path.parent / of).resolve(), "*") for of in _LATER.findall(text)}
    return [
        f"{path.relative_to(ROOT)}: nobody imports {name}"
        for path, text in texts.items()
        for name in _EXPORT.findall(text)
        if not {(path, name), (path, "*")} & imported
    ]


def main() -> int:
    make_types()
    pages = [path for path in (ROOT / "web").rglob("*.js") if "vendor" not in path.parts]
    wrong = [*faults(), *unused(pages)]
    print("\n".join(wrong) or f"{len(pages)} files of pages hold to the strict check.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
