"""The documentation is true: its examples run, and its paths, commands, links and tables agree with the tree.

Examples marked `sh` and `python` are run as they stand, with example addresses replaced. Examples marked `bash` are not
run; their commands are checked like all others.
"""

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import uuid
import zipfile
from pathlib import Path

import pytest

from support.waiting import wait_until

CHECKOUT = Path(__file__).resolve().parents[3]
PAGES = {
    str(path.relative_to(CHECKOUT)): path.read_text()
    for path in [CHECKOUT / "README.md", CHECKOUT / "CHANGELOG.md", *sorted((CHECKOUT / "docs").glob("*.md"))]
}
EVERY_PAGE = pytest.mark.parametrize("name", PAGES)

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")

# Pages with examples that a test below runs.
EXAMPLES = {
    ("README.md", "sh"),
    ("docs/accounts.md", "sh"),
    ("docs/books.md", "sh"),
    ("docs/cli.md", "sh"),
    ("docs/clients.md", "python"),
    ("docs/clients.md", "sh"),
    ("docs/configuration.md", "sh"),
    ("docs/deduplication.md", "sh"),
    ("docs/extraction.md", "sh"),
    ("docs/maintenance.md", "sh"),
    ("docs/operations.md", "sh"),
    ("docs/saving.md", "sh"),
}


def examples(name, language):
    """The examples of a page in one language."""
    return [text for found, text in FENCE.findall(PAGES[name]) if found == language]


def code(name):
    """The inline code of a page."""
    return CODE.findall(FENCE.sub("", PAGES[name]))


def scripts(name):
    """The commands of a page: its inline code, and the lines of its shell examples without comments."""
    for language, text in FENCE.findall(PAGES[name]):
        if language in ("sh", "bash"):
            yield from re.sub(r"\\\n\s*", "", re.sub(r"(^|\s)# .*", "", text)).splitlines()
    yield from code(name)


def rows(name, heading):
    """The cells of the tables under a heading, without their head rows."""
    section = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", PAGES[name], re.M | re.S)[1]
    table = re.findall(r"^\| (.*) \|$", section, re.M)
    return [re.split(r" \| ?", row) for row in table[1:]]


def names(name, heading):
    """The inline code in the first cells of the tables under a heading."""
    return {found for cells in rows(name, heading) for found in CODE.findall(cells[0])}


# Examples


@pytest.fixture
def example(lectern, tmp_path):
    """Runs a shell example in a folder that looks like the checkout of the running service."""
    (tmp_path / "var").symlink_to(lectern.home)
    (tmp_path / "sql").symlink_to(CHECKOUT / "sql")
    environment = {"PATH": os.environ["PATH"], "LECTERN_URL": lectern.url, "LECTERN_ANON_KEY": lectern.anon_key}

    def run(text, **more):
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", text],
            env=environment | more,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        return done.stdout

    return run


def test_the_site_of_the_package_is_that_of_the_documentation():
    [documented] = [text for text in examples("docs/operations.md", "nginx") if text.startswith("server")]
    packaged = (CHECKOUT / "deploy/package.d/nginx-site").read_text()
    assert packaged[packaged.index("server {") :].replace("    listen [::]:443 ssl;\n", "") == documented


def test_every_example_is_run():
    marked = {(name, language) for name, text in PAGES.items() for language, _ in FENCE.findall(text)}
    assert {pair for pair in marked if pair[1] not in ("", "bash")} == EXAMPLES | {("docs/operations.md", "nginx")}


def test_readme(example, website):
    [text] = examples("README.md", "sh")
    text = text.replace("you@example.org", f"{uuid.uuid4().hex}@example.org")
    text = text.replace("https://www.debian.org/intro/about", f"{website.url}/article")
    wait = 'until rest "$LECTERN_URL/rest/v1/links?state=eq.ready" | grep -q ready; do sleep 0.1; done\n'
    said = example(text.replace("# A moment later", wait + "# A moment later"))
    assert f'"resolved_url":"{website.url}/article","title":"A day at the lectern","state":"ready"' in said
    assert '"word_count":' in said


def test_clients_python(lectern, tmp_path):
    # The second example signs in to the account of the first.
    text = "\n".join(examples("docs/clients.md", "python"))
    text = text.replace("reader@example.org", f"{uuid.uuid4().hex}@example.org")
    text = text.replace("https://example.org/", "http://127.0.0.2/")
    environment = os.environ | {"LECTERN_URL": lectern.url, "LECTERN_ANON_KEY": lectern.anon_key}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", text],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr


def test_clients_curl(example, alice, website, tmp_path):
    sign_up, requests = examples("docs/clients.md", "sh")
    example(sign_up.replace("you@example.org", f"{uuid.uuid4().hex}@example.org") + 'test -n "$TOKEN"')
    requests = requests.replace("https://example.org/behind-a-login", f"{website.url}/article")
    requests = requests.replace("https://www.debian.org/intro/about", f"{website.url}/article")
    definition, *steps = requests.split("\n# ")
    [entity_tag] = [step for step in steps if "If-None-Match" in step]

    def run(*steps):
        return example(definition + "".join(f"\n# {step}" for step in steps), TOKEN=alice.token)

    said = run(*steps[: steps.index(entity_tag)])
    assert '"title":"Mine","tags":[{"name":"later"}]' in said
    assert '"swagger":"2.0"' in (tmp_path / "openapi.json").read_text()
    # The server's own work on the link and its pictures changes the entity tag, too.
    wait_until(lambda: "304\n" in run(entity_tag))
    said = run(*steps[steps.index(entity_tag) + 1 :])
    assert "x-lectern-superseded: 0" in said.lower()
    assert f'"resolved_url":"{website.url}/article"' in said
    assert alice.links("select=title,status") == [{"title": "Mine", "status": "read"}]


def test_accounts(example, lectern, tmp_path):
    [text] = examples("docs/accounts.md", "sh")
    name = uuid.uuid4().hex
    text = text.replace("reader@", f"reader-{name}@").replace("guest@", f"guest-{name}@")
    said = example(text.replace("https://example.org/", "http://127.0.0.2/"))
    assert f"created the account reader-{name}@example.org\n" in said
    assert f"deleted reader-{name}@example.org and all its data\n" in said
    assert re.search(rf"^{lectern.url}/account/#token_hash=[\w-]+&type=invite$", said, re.M)
    assert '"action":"user_created","actor":"database login lectern_admin"' in said
    with zipfile.ZipFile(tmp_path / "reader.zip") as zip:
        assert b"http://127.0.0.2/from-a-script" in zip.read("tables/public.links.json")
        assert {"manifest.json", "index.html"} <= set(zip.namelist())


def test_maintenance(example, alice):
    [text] = examples("docs/maintenance.md", "sh")
    text = text.replace("reader@example.org", alice.email)
    # Other tests run beside this one on the same rows.
    text = text.replace("maintain orphans\n", "maintain orphans --dry-run\n").replace("apply=1", "apply=0")
    said = example(text)
    assert alice.email in said and "public.links" in said and "count_before" in said


def test_commands(example, alice):
    administration, tools = examples("docs/cli.md", "sh")
    example(administration.replace("reader@example.org", alice.email))
    said = example(tools)
    assert "Tea is a drink" in said and '"article":null,"reason":"no_article"' in said.replace(" ", "")
    assert '"Fish & chips"' in said


def test_books(example):
    [text] = examples("docs/books.md", "sh")
    assert example(text.replace("reads@example.org", f"{uuid.uuid4().hex}@example.org")).endswith("404\n")


def test_saving(example, alice, lectern):
    requests, commands = (
        text.replace("https://example.org/", "http://127.0.0.2/") for text in examples("docs/saving.md", "sh")
    )
    form = json.dumps({"name": "script", "scope": "save"})
    token = lectern.send("POST", "/auth/v1/tokens", alice.headers, form).json()["token"]
    assert example(requests, TOKEN=token).count('"state":"pending"') == 2
    said = example(commands.replace("reader@example.org", alice.email))
    assert said.startswith("saved http://127.0.0.2/one\nsaved http://127.0.0.2/two\n") and '"is_new":false' in said
    links = alice.links("order=raw_url&select=raw_url,list,tags(name)")
    later = [{"name": "later"}]
    assert [(link["raw_url"][17:], link["list"], link["tags"]) for link in links] == [
        ("", "archive", []),
        ("mine", "archive", later),
        ("one", "read", later),
        ("two", "read", later),
    ]


def test_operations(example, tmp_path):
    [text] = examples("docs/operations.md", "sh")
    said = example(text)
    assert '"status":"ok"' in said and "lectern_workers " in said and "lectern_realtime_sockets " in said
    assert (tmp_path / "lectern.dump").read_bytes().startswith(b"PGDMP")


def test_proxy(tmp_path):
    """nginx understands the examples; it has no certificate here."""
    server, location = examples("docs/operations.md", "nginx")
    text = server.rstrip().removesuffix("}") + location + "}"
    text = re.sub(r".*ssl_.*\n", "", text.replace("443 ssl", "127.0.0.1:8443"))
    (tmp_path / "nginx.conf").write_text(f"pid {tmp_path}/pid; events {{}} http {{ access_log off; {text} }}")
    done = subprocess.run(
        ["/usr/sbin/nginx", "-t", "-e", "stderr", "-p", tmp_path, "-c", "nginx.conf"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_configuration(example):
    [text] = examples("docs/configuration.md", "sh")
    assert "LECTERN_JWT_SECRET=********" in example(text)


def test_deduplication(example):
    [text] = examples("docs/deduplication.md", "sh")
    key, nothing = example(text).split("\n")[:2]
    assert f"`{key}`" in PAGES["docs/deduplication.md"] and nothing == ""


def test_extraction(example, tmp_path):
    text = "\n".join(examples("docs/extraction.md", "sh"))
    article = "<p>Tea is a drink, and people like it a lot.</p>" * 50
    (tmp_path / "page.html").write_text(f"<title>Tea</title><article><h1>Tea</h1>{article}</article>")
    assert "kept" in example(text)
    assert "Tea is a drink" in (tmp_path / "with.txt").read_text()
    assert "Tea is a drink" in (tmp_path / "without.txt").read_text()


# Paths and links

FOLDERS = ("Sources/", "Tests/", "deploy/", "docs/", "extension/", "nginx/", "sql/", "web/", ".ci/")


def exists(path, base):
    """Whether a path is there, where <…> stands for any name and {a,b} for each."""
    pattern = re.sub(r"<[^>]*>", "*", path).rstrip("/") or "."
    choices = [part[1:-1].split(",") if part.startswith("{") else [part] for part in re.split(r"(\{[^}]*\})", pattern)]
    return pattern == "." or all(any(base.glob("".join(choice))) for choice in itertools.product(*choices))


@EVERY_PAGE
def test_every_path_exists(name, lectern):
    words = [word.rstrip(",;:.") for script in scripts(name) for word in script.split()]
    missing = [word for word in words if word.startswith(FOLDERS) and not exists(word, CHECKOUT)]
    missing += [
        word for word in words if word.startswith("var/") and not exists(word.removeprefix("var/"), lectern.home)
    ]
    assert not missing


def test_every_row_of_where_is_names_existing_files():
    missing = [
        (topic, path)
        for topic, places in rows("docs/architecture.md", "Where is…")
        for path in CODE.findall(places)
        if path.startswith(FOLDERS) and not exists(path, CHECKOUT)
    ]
    assert not missing


@EVERY_PAGE
def test_every_link_resolves(name):
    broken = []
    for link in LINK.findall(FENCE.sub("", PAGES[name])):
        if re.match(r"https?://", link):
            continue
        path, _, anchor = link.partition("#")
        target = ((CHECKOUT / name).parent / path).resolve() if path else CHECKOUT / name
        if not target.exists() or anchor and anchor not in anchors(target.read_text()):
            broken.append(link)
    assert not broken


def anchors(text):
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", text), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_readme_is_short():
    assert (CHECKOUT / "README.md").stat().st_size <= 6 * 1024


def test_readme_links_to_every_page():
    assert {f"docs/{path.name}" for path in (CHECKOUT / "docs").glob("*.md")} <= set(LINK.findall(PAGES["README.md"]))


# Commands


class Command:
    """A command of `lectern`, as it describes itself."""

    def __init__(self, described):
        self.name = described["commandName"]
        self.subcommands = {each["commandName"]: Command(each) for each in described.get("subcommands", [])}
        self.options = {"--help", "--version"} | {
            f"--{name['name']}" for argument in described.get("arguments", []) for name in argument.get("names") or []
        }

    def problem(self, words):
        """What is wrong with a call, or None."""
        if words and words[0] in self.subcommands:
            return self.subcommands[words[0]].problem(words[1:])
        if words and self.subcommands and re.fullmatch("[a-z-]+", words[0]) and not words[0].startswith("-"):
            return f"no command {words[0]} in {self.name}"
        unknown = [word for word in words if re.match("--[a-z]", word) and word.partition("=")[0] not in self.options]
        return f"no option {unknown} of {self.name}" if unknown else None


@pytest.fixture(scope="module")
def program(lectern):
    return Command(json.loads(output_of(lectern.home / "bin/lectern", "--experimental-dump-help"))["command"])


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, env={"PATH": os.environ["PATH"]}).stdout


def help_of(path):
    return output_of(CHECKOUT / path, "--help")


CALL = re.compile(r"(?:^|(?<=[\s(]))(?<!--cmd )(?:var/bin/|\.build/release/)?lectern ([^|;&<>()]*)")
SCRIPT = re.compile(
    r"(?:^|(?<=[\s(]))(deploy/(?:run|stop|test|bench|package)|Tests/Pages/measure\.py)(?=[\s]|$)([^|;&<>()]*)"
)


@EVERY_PAGE
def test_every_command_and_option_exists(name, program):
    problems = []
    for script in scripts(name):
        for words in CALL.findall(script):
            problems.append(program.problem(words.split()))
        for path, words in SCRIPT.findall(script):
            problems.append(problem_of_script(path, words.split()))
    assert not [problem for problem in problems if problem]


def problem_of_script(path, words):
    options = [word.partition("=")[0] for word in words if word.startswith("--")]
    benchmark = words[:1] if path == "deploy/bench" and words and not words[0].startswith("-") else []
    if benchmark and not (CHECKOUT / "deploy/bench.d" / benchmark[0]).exists():
        return f"no benchmark {benchmark[0]}"
    known = help_of("deploy/bench.d/" + benchmark[0]) if benchmark else help_of(path)
    unknown = [option for option in options if option != "--help" and not re.search(rf"{option}\b", known)]
    return f"no option {unknown} of {path}" if unknown else None


@EVERY_PAGE
def test_every_option_that_stands_alone_exists(name, program):
    def options(command):
        return command.options.union(*(options(each) for each in command.subcommands.values()))

    known = options(program) | set(re.findall("--[a-z-]+", help_of("deploy/run") + help_of("deploy/test")))
    known |= set(re.findall("--[a-z-]+", help_of("deploy/bench.d/extract")))
    alone = [text.split()[0] for text in code(name) if text.startswith("--")]
    assert [option for option in alone if option not in known] == []


def test_every_command_is_described(program):
    """The commands of the tables are those of the program; tasks of `maintain` have tables of their own."""
    described = set()
    for heading in ("Administration", "Services", "Tools"):
        for cells in rows("docs/cli.md", heading):
            first, *others = CODE.findall(cells[0])
            path = first.split()[1:]
            described |= {tuple(path)} | {(*path[:-1], other) for other in others}

    def leaves(command, path=()):
        if not command.subcommands or path == ("maintain",):
            return {path}
        return set().union(*(leaves(each, (*path, each.name)) for each in command.subcommands.values()))

    assert described - {("read-pages",)} == leaves(program) - {("read-pages",), ("help",)}


def test_every_maintenance_task_is_described(program):
    tables = [
        row for heading in ("Repairs", "Reports", "Maintenance mode") for row in rows("docs/maintenance.md", heading)
    ]
    described = {CODE.findall(cells[0])[0]: CODE.findall(cells[1]) for cells in tables}
    assert set(described) == set(program.subcommands["maintain"].subcommands)
    files = {found[0] for found in described.values() if found}
    assert files == {path.name for path in (CHECKOUT / "sql/maintenance").glob("*.sql")}


def test_every_benchmark_is_described():
    programs = {path.name for path in (CHECKOUT / "deploy/bench.d").iterdir() if path.is_file()}
    assert names("docs/benchmarks.md", "Benchmarks") == programs


def test_the_program_has_the_version_of_the_change_log(lectern):
    version = output_of(lectern.home / "bin/lectern", "--version").strip()
    assert re.search(r"^## (\S+)", PAGES["CHANGELOG.md"], re.M)[1] == version


# Tables of names


@EVERY_PAGE
def test_every_setting_exists(name, lectern):
    assignments = output_of(lectern.home / "bin/lectern", "config") + (lectern.home / "lectern.env").read_text()
    known = set(re.findall(r"^LECTERN_(\w+)=", assignments, re.M)) | {"BUILD_DIR", "SQL_DIR"}
    matches = [re.fullmatch(r"([A-Z]+(?:_[A-Z]+)+)(?:=\S*)?", text) for text in code(name)]
    named = {match[1].removeprefix("LECTERN_") for match in matches if match}
    assert named - known - codes() == set()


def codes():
    """Every error code: of the Swift errors that have one, and of nginx."""
    found = set()
    for folder in ("HTTP", "REST", "Auth", "App", "lectern-realtime"):
        for path in (CHECKOUT / "Sources" / folder).rglob("*.swift"):
            declaration = r"^    (?:public )?var code: String \{\n(.*?)^    \}$"
            for body in re.findall(declaration, path.read_text(), re.M | re.S):
                found |= set(re.findall(r': "(\w+)"', body))
    nginx = (CHECKOUT / "nginx/error-bodies.conf").read_text()
    for part in ("rest", "auth", "functions"):
        table = re.search(rf"map \$status \$error_{part}_code {{(.*?)^}}", nginx, re.M | re.S)[1]
        found |= {code for code in re.findall(r"(\w+);$", table, re.M) if "$" not in code}
    words = re.search(r"map \$status \$error_word {(.*?)^}", nginx, re.M | re.S)[1]
    found |= set(re.findall(r"\d (\w+);$", words, re.M))
    return {code for code in found if code not in ("status", "HTTP_")}


def test_every_error_code_is_described():
    assert len(codes()) > 60
    assert codes() - set(code("docs/api.md")) == set()


def test_every_code_that_functions_raise_is_described():
    sql = "\n".join(path.read_text() for path in (CHECKOUT / "sql/schema").glob("*.sql"))
    raised = set(re.findall(r"errcode = '(LT\d+)'", sql))
    # Workers answer LT401 like every other unknown token.
    assert "LT404" in raised and raised - {"LT401"} - names("docs/api.md", "Codes of `/rest/v1/`") == set()


def test_every_described_rest_code_exists():
    of_postgres = {
        found for found in names("docs/api.md", "Codes of `/rest/v1/`") if re.fullmatch("[0-9A-Z]{5}", found)
    }
    assert names("docs/api.md", "Codes of `/rest/v1/`") - codes() - of_postgres == set()
    assert names("docs/api.md", "Codes of `/auth/v1/`") - codes() == set()


def test_every_reason_is_described():
    swift = "\n".join(path.read_text() for path in (CHECKOUT / "Sources").rglob("*Error.swift"))
    reasons = set(re.findall(r'"(\w+)"', re.search(r"enum Reason: String.*?\n    \}", swift, re.S)[0]))
    page = "\n".join(path.read_text() for path in (CHECKOUT / "web/queue").rglob("*.js"))
    reasons |= set(re.findall(r"\b([a-z]+(?:_[a-z]+)+|timeout): '", page))
    assert "blocked_scheme" in reasons and reasons - names("docs/api.md", "Reasons of links and jobs") == set()


def test_every_table_and_function_is_described(alice):
    paths = set(alice.rest("GET", "").json()["paths"]) - {"/"}
    functions = {f"rpc/{name}" for name in names("docs/api.md", "Functions")}
    assert {path.removeprefix("/") for path in paths} == names("docs/api.md", "Tables") | functions


def test_every_threat_has_tests_that_exist():
    missing = []
    for threat, *_, tests in rows("docs/fetching-and-security.md", "Threats"):
        linked = re.findall(r"\[`?([^]`]+)`?\]\(\.\./([^)]+)\)", tests)
        missing += [(threat, name) for name, path in linked if not defines_test(CHECKOUT / path, name)]
        missing += [] if linked else [(threat, "no test")]
    assert not missing


def defines_test(file, name):
    """Whether a module has this test function, or a Swift file a test with this promise."""
    return (f"\ndef {name}(" if file.suffix == ".py" else f'"{name}"') in file.read_text()


def test_every_accounts_endpoint_is_described():
    [file] = (CHECKOUT / "Sources/App").rglob("AuthRoute.swift")
    routes = file.read_text()
    cases = re.findall(r'case \(\d, "([\w.-]+)", (?:"([\w.-]+)"|_|let \w+)\)', routes)
    paths = {"/".join(part for part in parts if part) for parts in cases}
    described = {re.split(r"\?|/<", found)[0] for found in names("docs/api.md", "Accounts endpoints")}
    assert "admin/users" in paths and paths == described | {"authorize", "factors"}


# Modules


def test_the_diagram_of_modules_is_that_of_the_package():
    """Every module is in the diagram, and no dependency points upward."""
    diagram = FENCE.findall(PAGES["docs/architecture.md"])[0][1]
    layers, number = {}, 0
    for line in reversed(diagram.splitlines()):
        for name in re.findall(r"[\w-]+", line[12:]):
            layers[name] = number
        number += bool(line[:12].strip())
    swift = shutil.which("swift") or "/opt/swift/usr/bin/swift"
    package = json.loads(
        subprocess.run(
            [swift, "package", "--package-path", CHECKOUT, "dump-package"], check=True, capture_output=True
        ).stdout
    )
    targets = {
        target["name"]: target
        for target in package["targets"]
        if target["type"] != "test" and not (target.get("path") or "Sources").startswith("Tests")
    }
    assert set(targets) == set(layers)
    upward = [
        (name, dependency)
        for name, target in targets.items()
        for entry in target["dependencies"]
        for dependency in [*(entry.get("byName") or []), *(entry.get("target") or [])][:1]
        if layers[dependency] > layers[name]
    ]
    assert not upward
