#!/usr/bin/env python3
"""A sequential test on OpenBench, server and worker on this machine, between two builds of this repository.

    python3 -m venv VENV && VENV/bin/pip install -r OPENBENCH/requirements.txt -r OPENBENCH/Client/requirements.txt
    VENV/bin/python tools/openbench_loop.py --openbench OPENBENCH --fastchess FASTCHESS --tabiya target/release/tabiya \\
        --book BOOK.epd --work FOLDER

OPENBENCH is a copy of OpenBench's repository (a checkout or a bare one), FASTCHESS a fastchess of 1.8.1 or later. One build
is the commit given by --commit, the other the same with one technique switched off (--without). Nothing leaves the machine: what
OpenBench asks of GitHub is answered by a small server here, from git, and any other address is refused.

FOLDER keeps everything: the instance, its logs, result.json and the games, 1.pgn.tar. docs/openbench.md explains.
"""

import argparse
import hashlib
import http.server
import io
import json
import os
import re
import runpy
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.parse
import zipfile
from pathlib import Path

ENGINE = "Tabiya"
REPOSITORY = "https://github.com/tabiya-chess/tabiya"
USER, PASSWORD = "loop", "only-on-loopback"
HERE = Path(__file__).resolve()


class Failure(Exception):
    """Something that the user can do something about."""


def git(folder, *words, binary=False):
    done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True)
    if done.returncode:
        raise Failure(f"git {' '.join(words)}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout if binary else done.stdout.decode().strip()


# The two builds ------------------------------------------------------------------------------------------------------


def bench_of(tabiya, techniques):
    """The node count a build with these techniques has: a run-time switch gives the same tree as a build without."""
    # As arguments: `quit` on standard input would stop the bench.
    lines = [f"setoption name Techniques value {techniques}", "bench"]
    done = subprocess.run([tabiya, *lines], capture_output=True, text=True)
    found = re.findall(r"^(\d+) nodes \d+ nps$", done.stdout, re.M)
    if not found:
        raise Failure(f"{tabiya}: no bench with '{techniques}': {done.stdout[-300:]}")
    return int(found[-1])


def switch_off(source, technique):
    """Makes a technique's guard a constant; there is exactly one for each."""
    variant = "".join(word.capitalize() for word in technique.split("-"))
    guard, found = f"self.uses(Technique::{variant})", []
    for path in sorted((source / "crates/search/src").rglob("*.rs")):
        if guard in (text := path.read_text()):
            found.append((path, text))
    if not found:
        raise Failure(f"--without {technique}: '{guard}' is nowhere in crates/search/src")
    for path, text in found:
        path.write_text(text.replace(guard, "false"))


def make_branches(options, source):
    """A clone with two branches whose last commits tell their bench, as OpenBench wants it."""
    git(options.repo, "clone", "-q", "--no-checkout", str(options.repo), str(source))
    git(source, "checkout", "-q", "-B", "whole", options.commit)
    git(source, "config", "user.name", "loop")
    git(source, "config", "user.email", "loop@localhost")
    whole = bench_of(options.tabiya, "all")
    git(source, "commit", "-q", "--allow-empty", "-m", f"As it is\n\nBench: {whole}")
    other = f"without-{options.without}"
    git(source, "checkout", "-q", "-b", other, options.commit)
    switch_off(source, options.without)
    less = bench_of(options.tabiya, f"all,-{options.without}")
    git(source, "commit", "-q", "-a", "-m", f"Without {options.without}\n\nBench: {less}")
    return ("whole", whole), (other, less)


# What GitHub would answer --------------------------------------------------------------------------------------------


def github(source, files):
    """The few pages of GitHub's interface that OpenBench reads, and the book."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            path = urllib.parse.unquote(self.path).strip("/")
            try:
                kind, body = self.answer(path)
            except Failure as failure:
                return self.send(404, "application/json", json.dumps({"message": str(failure)}).encode())
            self.send(200, kind, body)

        def answer(self, path):
            if path in files:
                return "application/zip", files[path]
            words = path.split("/", 4)
            if len(words) < 5 or words[0] != "repos":
                raise Failure(f"nothing at {path}")
            what, name = words[3], words[4]
            if what in ("branches", "commits"):
                sha = git(source, "rev-parse", "--verify", f"{name}^{{commit}}")
                commit = {"sha": sha, "commit": {"message": git(source, "log", "-1", "--format=%B", sha)}}
                answer = {"name": name, "commit": commit} if what == "branches" else commit
            elif what == "compare":
                answer = {"ahead_by": int(git(source, "rev-list", "--count", name.replace("...", "..")))}
            elif what == "zipball":
                prefix = f"--prefix=tabiya-{name[:7]}/"
                return "application/zip", git(source, "archive", "--format=zip", prefix, name, binary=True)
            else:
                raise Failure(f"nothing at {path}")
            return "application/json", json.dumps(answer).encode()

        def send(self, status, kind, body):
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *words):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def shim(port, script, words):
    """Runs one of OpenBench's own scripts with GitHub on loopback, and without its `pkill -f`."""
    import psutil
    import requests

    ask = requests.sessions.Session.request

    def request(session, method, url, *rest, **named):
        url = re.sub(r"^https://api\.github\.com/", f"http://127.0.0.1:{port}/", url)
        if urllib.parse.urlparse(url).hostname not in ("127.0.0.1", "localhost"):
            raise requests.exceptions.ConnectionError(f"{url}: nothing leaves this machine")
        return ask(session, method, url, *rest, **named)

    run = subprocess.run

    def run_or_kill(command, *rest, **named):
        # The worker ends engines by name, whoever started them. Here: its own descendants only.
        if isinstance(command, list) and command[:3] == ["pkill", "-KILL", "-f"]:
            for process in psutil.Process().children(recursive=True):
                try:
                    if command[3] in " ".join(process.cmdline()):
                        process.kill()
                except psutil.Error:
                    pass
            return subprocess.CompletedProcess(command, 0)
        return run(command, *rest, **named)

    requests.sessions.Session.request = request
    subprocess.run = run_or_kill
    sys.argv = [script, *words]
    sys.path.insert(0, str(Path(script).resolve().parent))
    runpy.run_path(script, run_name="__main__")


# The instance --------------------------------------------------------------------------------------------------------


def copy_openbench(origin, instance):
    if (origin / "manage.py").is_file():
        shutil.copytree(origin, instance, ignore=shutil.ignore_patterns(".git", "db.sqlite3", "Media"))
    else:
        git(".", "clone", "-q", str(origin), str(instance))


def configure(options, instance, port):
    """One engine, one book, and the match runner in the worker's folder."""
    book = options.book.name
    # As text, because the worker takes the checksum of what it reads as text: line ends are one byte.
    content = options.book.read_text().encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(book, content)
    entry = {"sha": hashlib.sha256(content).hexdigest(), "source": f"http://127.0.0.1:{port}/books/{book}.zip"}
    (instance / "Books" / f"{book}.json").write_text(json.dumps(entry))
    shutil.copy(options.repo / "openbench" / f"{ENGINE}.json", instance / "Engines")
    place = instance / "Config" / "config.json"
    config = json.loads(place.read_text())
    config["books"], config["engines"] = [book], [ENGINE]
    place.write_text(json.dumps(config, indent=4))
    shutil.copy(options.fastchess, instance / "Client" / "fastchess-ob")
    return packed.getvalue()


def environment(options):
    variables = dict(os.environ, CARGO_TARGET_DIR=str(options.target), PYTHONUNBUFFERED="1")
    if options.quick_build:
        variables |= {"CARGO_PROFILE_RELEASE_LTO": "off", "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16"}
    return variables


class Processes:
    """What this program started; it is what this program ends."""

    def __init__(self, options, port):
        self.options, self.port, self.running = options, port, []

    def words(self, script, *words):
        return [sys.executable, str(HERE), "--shim", str(self.port), str(script), *words]

    def start(self, name, script, *words):
        log = open(self.options.work / f"{name}.log", "w")
        process = subprocess.Popen(
            self.words(script, *words),
            cwd=Path(script).parent,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=environment(self.options),
            process_group=0,
        )
        self.running.append(process)
        return process

    def end(self):
        for process in reversed(self.running):
            try:
                os.killpg(process.pid, signal.SIGTERM)
                process.wait(20)
            except ProcessLookupError:
                pass
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


MAKE_USER = f"""
import os, django
os.environ["DJANGO_SETTINGS_MODULE"] = "OpenSite.settings"
django.setup()
from django.contrib.auth.models import User
from OpenBench.models import Profile
user = User.objects.create_user({USER!r}, "", {PASSWORD!r})
Profile.objects.create(user=user, enabled=True, approver=True)
"""


def prepare_database(instance):
    for words in (["manage.py", "migrate", "-v", "0"], ["-c", MAKE_USER]):
        done = subprocess.run([sys.executable, *words], cwd=instance, capture_output=True, text=True)
        if done.returncode:
            raise Failure(f"OpenBench's database: {done.stderr.strip()[-800:]}")


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for(what, seconds, ask):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if (found := ask()) is not None:
            return found
        time.sleep(1)
    raise Failure(f"{what}: nothing after {seconds} s")


def create_test(options, server, branches):
    import requests

    (dev, _), (base, _) = branches
    form = {
        "username": USER, "password": PASSWORD, "action": "CREATE_TEST", "info": "",
        "test_mode": "SPRT", "test_bounds": options.bounds, "test_confidence": "[0.05, 0.05]", "test_max_games": "",
        "book_name": options.book.name, "upload_pgns": "VERBOSE", "priority": "0", "throughput": "1000",
        "workload_size": str(options.workload), "syzygy_wdl": "DISABLED", "syzygy_adj": "DISABLED",
        "win_adj": "movecount=4 score=600", "draw_adj": "movenumber=40 movecount=8 score=8",
        "scale_method": "BASE", "scale_nps": "900000",
    }  # fmt: skip
    for side, branch in (("dev", dev), ("base", base)):
        form |= {
            f"{side}_engine": ENGINE, f"{side}_repo": REPOSITORY, f"{side}_branch": branch, f"{side}_bench": "",
            f"{side}_network": "", f"{side}_options": "Threads=1 Hash=16", f"{side}_time_control": options.limit,
        }  # fmt: skip
    answer = requests.post(f"{server}/scripts/", data=form, timeout=60)
    information = requests.get(f"{server}/api/workload/1/info/", timeout=60).json()
    if "info" not in information:
        told = re.findall(r'class="[^"]*error[^"]*"[^>]*>(.*?)<', answer.text, re.S)
        raise Failure(f"OpenBench refused the test: {' '.join(told).strip() or information}")


def follow(options, server, worker):
    """Tells how the test goes until it is decided."""
    import requests

    end, told = time.monotonic() + 60 * options.minutes, None
    while time.monotonic() < end:
        test = requests.get(f"{server}/api/workload/1/info/", timeout=60).json()["info"]
        now = f"{test['games']} games, LLR {test['currentllr']:.2f} in [{test['lowerllr']:.2f}, {test['upperllr']:.2f}]"
        if now != told:
            print(now, flush=True)
            told = now
        if test["finished"]:
            return test
        if worker.poll() is not None:
            raise Failure(f"the worker ended; its last words are in {options.work / 'worker.log'}")
        time.sleep(5)
    raise Failure(f"not decided after {options.minutes} minutes; see {options.work / 'worker.log'}")


def collect(options, instance, server, test):
    import requests

    archive = instance / "Media" / "PGNs" / "1.pgn.tar"
    wait_for("the games", 180, lambda: archive if archive.is_file() else None)
    time.sleep(2)
    shutil.copy(archive, options.work / "1.pgn.tar")
    results = requests.get(f"{server}/api/workload/1/results/", timeout=60).json()
    result = {"info": test} | results
    (options.work / "result.json").write_text(json.dumps(result, indent=2, default=str))
    return result


def tell(options, result):
    test = result["info"]
    losses, draws, wins = test["tri"]
    print(f"\n{test['dev']['name']} against {test['base']['name']}, {test['dev_time_control']}, {test['book_name']}")
    print(f"{test['games']} games: +{wins} ={draws} -{losses}; pairs LL LD DD DW WW: {' '.join(map(str, test['penta']))}")
    bounds = f"[{test['elolower']}, {test['eloupper']}]"
    print(f"SPRT {bounds}: LLR {test['currentllr']:.2f}, {'passed' if test['passed'] else 'failed'}")
    for row in result["results"]:
        print(f"crashes {row['crashes']}, time losses {row['timeloss']}")
    print(f"data: {options.work / 'result.json'}, {options.work / '1.pgn.tar'}")


def loop(options):
    if options.work.exists() and any(options.work.iterdir()):
        raise Failure(f"{options.work}: not empty; choose another --work")
    options.work.mkdir(parents=True, exist_ok=True)
    source, instance = options.work / "source", options.work / "openbench"
    print("two branches, their benches", flush=True)
    branches = make_branches(options, source)
    print(", ".join(f"{name}: {bench}" for name, bench in branches), flush=True)
    copy_openbench(options.openbench, instance)
    files = {}
    port = github(source, files)
    files[f"books/{options.book.name}.zip"] = configure(options, instance, port)
    prepare_database(instance)
    import requests

    processes = Processes(options, port)
    try:
        address = f"127.0.0.1:{options.port or free_port()}"
        server = f"http://{address}"
        site = processes.start("server", instance / "manage.py", "runserver", address, "--noreload")

        def is_up():
            if site.poll() is not None:
                raise Failure(f"OpenBench's server ended; its last words are in {options.work / 'server.log'}")
            try:
                return requests.get(f"{server}/api/config/", timeout=5).ok or None
            except requests.exceptions.ConnectionError:
                return None

        wait_for(f"OpenBench's server ({options.work / 'server.log'})", 60, is_up)
        create_test(options, server, branches)
        print("the worker builds both, then plays", flush=True)
        words = ["-U", USER, "-P", PASSWORD, "-S", server, "--no-client-downloads", "-T", "1", "-N", "1"]
        worker = processes.start("worker", instance / "Client" / "client.py", *words)
        test = follow(options, server, worker)
        result = collect(options, instance, server, test)
    finally:
        processes.end()
    tell(options, result)


def main():
    if sys.argv[1:2] == ["--shim"]:
        return shim(int(sys.argv[2]), sys.argv[3], sys.argv[4:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    path = lambda text: Path(text).resolve()
    parser.add_argument("--openbench", type=path, required=True, help="a copy of OpenBench's repository")
    parser.add_argument("--fastchess", type=path, required=True, help="a fastchess binary, 1.8.1 or later")
    parser.add_argument("--tabiya", type=path, required=True, help="a build of --commit, asked for the benches")
    parser.add_argument("--book", type=path, required=True, help="openings, as EPD")
    parser.add_argument("--work", type=path, required=True, help="an empty or new folder")
    parser.add_argument("--repo", type=path, default=HERE.parent.parent, help="default: this repository")
    parser.add_argument("--commit", default="HEAD", help="what is tested (default HEAD)")
    parser.add_argument("--without", default="quiescence", help="the technique the other build lacks")
    parser.add_argument("--limit", default="N=1000", help="time control as OpenBench writes it (default N=1000)")
    parser.add_argument("--bounds", default="[0.00, 20.00]", help="Elo bounds (default [0.00, 20.00])")
    parser.add_argument("--workload", type=int, default=8, help="pairs of games in a work unit are twice this")
    parser.add_argument("--minutes", type=int, default=90, help="give up after this long")
    parser.add_argument("--port", type=int, default=0, help="of OpenBench's server (default: any free one)")
    parser.add_argument("--target", type=path, help="where cargo builds (default WORK/target), shared by both builds")
    parser.add_argument("--quick-build", action="store_true", help="without link-time optimisation: a third of the time")
    options = parser.parse_args()
    options.target = options.target or options.work / "target"
    for name in ("fastchess", "tabiya", "book"):
        if not (place := getattr(options, name)).is_file():
            parser.error(f"--{name}: {place} is no file")
    try:
        import django  # noqa: F401
        import psutil  # noqa: F401
        import requests  # noqa: F401
    except ImportError as error:
        parser.error(f"{error}; see the head of this file for what to install")
    # A polite end reaches `finally`, which ends the server and the worker.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("openbench_loop: told to stop"))
    try:
        loop(options)
    except Failure as failure:
        sys.exit(f"openbench_loop: {failure}")


if __name__ == "__main__":
    main()
