#!/usr/bin/env python3
"""Checks the messages of the commits after the one that added this script, or of a range that is given.

    tools/check_commits.py [--tabiya PROGRAM] [--limit-to RANGE]

A subject is imperative, begins with a capital letter, has at most 72 characters and no full stop at its end. Merge
commits are not checked. A commit that touches the sources of chess, eval, kernel or search says `Bench: N`, the node
count of `tabiya bench`. With --tabiya the newest N is compared with what that program says.
"""

import argparse
import re
import subprocess
import sys

SUBJECT_LIMIT = 72
BENCHED = re.compile(r"^crates/(chess|eval|kernel|search)/src/")
BENCH = re.compile(r"^Bench: (\d+)$", re.MULTILINE)
NOISE = re.compile(r"^(fixup!|squash!|amend!|WIP\b|wip\b)")
# Commits of the main branch that break a rule and stay as they are.
ACCEPTED = {"4cfb18c03538cb2fc376177730b68b5cfc50030a", "b7fa5528ac5f33d1007f3a41c6163c647b140ae1"}
# Imperatives that look like another form.
IMPERATIVES = {"Bring", "Embed", "Feed", "Need", "Ping", "Proceed", "Seed", "Shed", "Speed", "String"}
NOT_IMPERATIVE = re.compile(r"^([A-Z][a-z]+(ed|ing)|Adds|Changes|Checks|Fixes|Makes|Moves|Removes|Renames|Uses)$")


def git(*arguments):
    done = subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"check_commits: git {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def problems(subject, body, files):
    """What is wrong with one commit, a sentence each."""
    found = []
    if NOISE.match(subject):
        found.append("the subject is that of unfinished work")
    if len(subject) > SUBJECT_LIMIT:
        found.append(f"subject of {len(subject)} characters, expected at most {SUBJECT_LIMIT}")
    if subject.endswith("."):
        found.append("full stop at the end of the subject")
    words = subject.split()
    first = words[0].rstrip(":,") if words else ""
    if not first[:1].isupper():
        found.append("subject does not begin with a capital letter")
    elif first not in IMPERATIVES and NOT_IMPERATIVE.match(first):
        found.append(f"'{first}' is not imperative")
    if any(BENCHED.match(file) for file in files) and not BENCH.search(body):
        found.append("touches the search, the evaluation or the rules and has no line 'Bench: N'")
    return found


def introduced():
    """The commit that added this script; None while it is not committed, or where a shallow clone cut it off."""
    commits = git("log", "--diff-filter=A", "--format=%H", "--", "tools/check_commits.py").split()
    return commits[-1] if commits else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tabiya", metavar="PROGRAM", help="compare the newest `Bench: N` with this program's bench")
    parser.add_argument("--limit-to", metavar="RANGE", help="commits to check, as git writes a range")
    options = parser.parse_args()

    if git("rev-parse", "--is-shallow-repository").strip() == "true":
        print("check_commits: a shallow clone has no history to check; fetch all of it (git fetch --unshallow)")
        sys.exit(0)
    start = introduced()
    if options.limit_to is None and start is None:
        sys.exit("check_commits: no commit adds tools/check_commits.py; name a range with --limit-to")
    commits = git("rev-list", "--no-merges", options.limit_to or f"{start}..HEAD").split()

    failures = 0
    newest = None
    for commit in commits:
        subject, body = git("show", "-s", "--format=%s%x00%b", commit).split("\0")
        files = git("diff-tree", "--no-commit-id", "--name-only", "-r", "-m", "--root", commit).split("\n")
        bench = BENCH.search(body)
        if newest is None and bench:
            newest = (commit, int(bench.group(1)))
        for problem in problems(subject, body, files) if commit not in ACCEPTED else []:
            print(f"{commit[:10]} {subject[:60]}: {problem}")
            failures += 1

    if options.tabiya and newest:
        said = subprocess.run([options.tabiya, "bench"], capture_output=True, text=True, check=True).stdout
        counted = re.search(r"(\d+) nodes", said.strip().split("\n")[-1])
        if counted is None:
            sys.exit(f"check_commits: {options.tabiya} bench says no number of nodes")
        if int(counted.group(1)) != newest[1]:
            print(f"{newest[0][:10]}: says Bench: {newest[1]}, the program counts {counted.group(1)}")
            failures += 1

    print(f"check_commits: {len(commits)} commits, {failures} problems")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
