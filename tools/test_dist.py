"""Tests of dist.sh with a stand-in for the program: what is in an archive, and what is refused."""

import hashlib
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSION = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.MULTILINE).group(1)


class Archives(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def program(self, name, version):
        path = self.folder / name
        path.write_text(f'#!/bin/sh\necho "tabiya {version} $*"\n')
        path.chmod(0o755)
        return path

    def dist(self, name, program, path=None):
        command = [str(ROOT / "tools" / "dist.sh"), name, str(program)]
        environment = {**os.environ, "DIST": str(self.folder / "dist")}
        if path:
            environment["PATH"] = f"{path}{os.pathsep}{environment['PATH']}"
        return subprocess.run(command, env=environment, capture_output=True, text=True)

    def test_a_tar_archive_has_everything_and_a_checksum(self):
        done = self.dist("x86_64-linux", self.program("tabiya", VERSION))
        self.assertEqual(done.returncode, 0, done.stderr)
        archive = self.folder / "dist" / f"tabiya-{VERSION}-x86_64-linux.tar.gz"
        with tarfile.open(archive) as tar:
            names = {name.partition("/")[2] for name in tar.getnames()}
            program = tar.getmember(f"tabiya-{VERSION}-x86_64-linux/tabiya")
        self.assertTrue(program.mode & 0o111)
        expected = {"tabiya", "tabiya.1", "LICENSE", "README.md", "CHANGELOG.md", "THIRD-PARTY.md", "completions/tabiya.bash",
                    "completions/tabiya.zsh", "completions/tabiya.fish"}
        self.assertLessEqual(expected, names)
        said = (self.folder / "dist" / "SHA256SUMS").read_text()
        self.assertEqual(said, f"{hashlib.sha256(archive.read_bytes()).hexdigest()}  {archive.name}\n")

    def test_the_same_input_gives_the_same_archive_and_one_line(self):
        program = self.program("tabiya", VERSION)
        self.dist("x86_64-linux", program)
        first = (self.folder / "dist" / "SHA256SUMS").read_text()
        self.dist("x86_64-linux", program)
        self.assertEqual((self.folder / "dist" / "SHA256SUMS").read_text(), first)

    def test_a_tar_that_cannot_sort_packs_the_same_files(self):
        # As on macOS: the first call of tar ends with an error and writes nothing.
        tools = self.folder / "bin"
        tools.mkdir()
        tar = tools / "tar"
        tar.write_text(f'#!/bin/sh\ncase $1 in --sort*) exit 1;; esac\nexec {shutil.which("tar")} "$@"\n')
        tar.chmod(0o755)
        done = self.dist("aarch64-macos", self.program("tabiya", VERSION), path=tools)
        self.assertEqual(done.returncode, 0, done.stderr)
        with tarfile.open(self.folder / "dist" / f"tabiya-{VERSION}-aarch64-macos.tar.gz") as archive:
            self.assertIn(f"tabiya-{VERSION}-aarch64-macos/tabiya", archive.getnames())

    def test_windows_gets_a_zip(self):
        done = self.dist("x86_64-windows", self.program("tabiya.exe", VERSION))
        self.assertEqual(done.returncode, 0, done.stderr)
        with zipfile.ZipFile(self.folder / "dist" / f"tabiya-{VERSION}-x86_64-windows.zip") as archive:
            self.assertIn(f"tabiya-{VERSION}-x86_64-windows/tabiya.exe", archive.namelist())

    def test_a_program_of_another_version_is_refused(self):
        done = self.dist("x86_64-linux", self.program("tabiya", "0.0.7"))
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"is not version {VERSION}", done.stderr)


if __name__ == "__main__":
    unittest.main()
