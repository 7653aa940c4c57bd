# SPDX-License-Identifier: MIT
"""What keeps a tree from being released is found and told: changes, versions, changelog, old results, addresses."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "release"))
import address  # noqa: E402
import changelog  # noqa: E402
import project  # noqa: E402
import releasable  # noqa: E402

PACKAGE = project.VERSION_FILE.parent.relative_to(ROOT).as_posix()
PARTS = (
    "pyproject.toml", "CHANGELOG.md", "docs/platforms.json", f"{PACKAGE}/version.py", f"{PACKAGE}/source_hash.py",
    *releasable.VERSIONS, *releasable.COPIES,
)  # fmt: skip


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree that may be released, as far as these files tell."""
    for name in PARTS:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "csrc" / "one.c").write_text("int one;\n", encoding="utf-8")
    for module in (project, releasable, address):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    for module in (project, address):
        monkeypatch.setattr(module, "PYPROJECT", tmp_path / "pyproject.toml")
    for module in (project, releasable):
        monkeypatch.setattr(module, "VERSION_FILE", tmp_path / PACKAGE / "version.py")
    monkeypatch.setattr(changelog, "CHANGELOG", tmp_path / "CHANGELOG.md")
    monkeypatch.setattr(releasable, "kept_results", list)
    number, hashed = project.version(), releasable.csrc_hash()
    (tmp_path / "CHANGELOG.md").write_text(
        f"# Changelog\n\n## {number} - 2026-01-02\n\n- News\n\n## 0.0.1 - x\n\n- Old\n"
    )
    (tmp_path / "docs" / "platforms.json").write_text(json.dumps({"Linux s390x": {"c": ["ran", hashed]}}))
    results = tmp_path / "benchmarks" / "results"
    results.mkdir(parents=True)
    (results / "cpu.json").write_text(json.dumps({"themes": {"skinning": {"versions": {"csrc": hashed}}}}))
    address.main("https://example.org/skelkin", "https://docs.example.org")
    git = ["git", "-C", str(tmp_path), "-c", "user.name=nobody", "-c", "user.email=nobody@example.org"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "all"]):
        subprocess.run([*git, *command], check=True)
    return tmp_path


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def found(tree: Path, tag: str | None = None) -> list[str]:
    """Return the complaints, but for that of the edits that the test has made."""
    return [each for each in releasable.complaints(tag) if not each.startswith("the tree has")]


def test_a_tree_that_is_ready_is_left_in_peace(tree: Path) -> None:
    assert releasable.complaints(f"v{project.version()}") == []


def test_changes_that_are_not_committed_are_told(tree: Path) -> None:
    (tree / "new.txt").touch()
    assert releasable.complaints() == ["the tree has 1 changed files (new.txt …): commit them"]


@pytest.mark.parametrize("name", releasable.VERSIONS)
def test_each_place_of_another_version_is_told(tree: Path, name: str) -> None:
    number = project.version()
    written = number.replace(".", ", ") if name.endswith("__init__.py") else number
    if name.endswith(".h"):
        written = f"VERSION_PATCH {number[-1]}"
    edit(tree / name, written, written[:-1] + "9")
    told = [each for each in found(tree) if "another csrc" not in each]
    assert told == [f"{name} states version {number[:-1]}9, the package {number}"]


def test_the_tag_of_another_version_is_told(tree: Path) -> None:
    (said,) = found(tree, "v9.9.9")
    assert said.startswith("the tag v9.9.9 is not v")


@pytest.mark.parametrize(
    ("head", "said"),
    [("## 9.0.0 - 2026-01-02", "says nothing of"), ("## {} (unreleased)", '"unreleased"'), ("## {}", 'says "" of')],
)
def test_a_changelog_without_the_version_and_its_day_is_told(tree: Path, head: str, said: str) -> None:
    number = project.version()
    edit(tree / "CHANGELOG.md", f"## {number} - 2026-01-02", head.format(number))
    (told,) = found(tree)
    assert said in told


def test_the_section_of_a_version_ends_where_the_next_begins(tree: Path) -> None:
    assert changelog.section(project.version(), changelog.CHANGELOG.read_text()) == ("2026-01-02", "- News")


def test_platforms_and_figures_of_other_sources_are_told(tree: Path) -> None:
    (tree / "csrc" / "one.c").write_text("int two;\n", encoding="utf-8")
    platforms, figures = found(tree)
    assert "Linux s390x ran on another csrc" in platforms
    assert "skinning were measured on another csrc" in figures


def test_placeholders_are_told_once_for_all_places(tree: Path) -> None:
    for name in ("pyproject.toml", *releasable.COPIES):
        edit(tree / name, "example.org", "example.invalid")
    (said,) = found(tree)
    assert said.startswith("pyproject.toml: Documentation, Source, Issues, Changelog")


@pytest.mark.parametrize("name", releasable.COPIES)
def test_an_address_that_is_not_the_projects_is_told(tree: Path, name: str) -> None:
    edit(tree / name, "docs.example.org", "elsewhere.example.org")
    assert found(tree) == [f"{name}: https://elsewhere.example.org is not in pyproject.toml: run `make address`"]


def test_addresses_are_written_wherever_they_stand(tree: Path) -> None:
    address.main("https://example.net/a/b", "https://pages.example.net/b")
    assert project.addresses() == {
        "Documentation": "https://pages.example.net/b",
        "Source": "https://example.net/a/b",
        "Issues": "https://example.net/a/b/issues",
        "Changelog": "https://example.net/a/b/blob/main/CHANGELOG.md",
    }
    assert found(tree) == []
    for name in ("pyproject.toml", *releasable.COPIES):
        assert "example.org" not in (tree / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("given", ["example.org", "http://example.org", "https://example.org/", "https://a b"])
def test_what_is_no_address_is_refused(tree: Path, given: str) -> None:
    with pytest.raises(SystemExit, match="begins with https://"):
        address.main(given, "https://docs.example.org")


def test_the_placeholders_of_this_tree_are_the_only_addresses_of_the_project() -> None:
    """Until there is an address none is written anywhere else."""
    known = set(project.stated_addresses().values())
    assert known
    for name in releasable.COPIES:
        assert any(each in (ROOT / name).read_text(encoding="utf-8") for each in known), name
