"""What may import what."""

import ast
import sys
import unittest
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "numera"


def imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


class Walls(unittest.TestCase):
    def test_the_package_needs_the_standard_library_alone(self) -> None:
        for path in PACKAGE.rglob("*.py"):
            for name in imports_of(path):
                self.assertTrue(name.startswith(".") or name.split(".")[0] in sys.stdlib_module_names, (path, name))

    def test_the_rules_are_pure_and_import_at_most_each_other(self) -> None:
        pure = {
            "collections.abc", "dataclasses", "datetime", "decimal", "email.utils", "hashlib", "hmac", "itertools",
            "json", "math", "re", "typing",
        }  # fmt: skip
        for path in (PACKAGE / "_rules").glob("*.py"):
            rules = {f".{other.stem}" for other in path.parent.glob("*.py")}
            self.assertLessEqual(set(imports_of(path)), pure | rules, path)

    def test_no_file_is_longer_than_300_lines(self) -> None:
        for path in PACKAGE.rglob("*.py"):
            self.assertLessEqual(len(path.read_text("utf-8").splitlines()), 300, path)
