"""What deploy/test prints at its end: failures, times and the line that counts."""

import subprocess

from support.paths import CHECKOUT

REPORT = """<testsuites><testsuite>
    <testcase classname="web.test_list" name="test_once" time="1"/>
    <testcase classname="web.test_list" name="test_again" time="2"/>
    <testcase classname="web.test_list" name="test_again" time="2">{second}</testcase>
    <testcase classname="web.test_list" name="test_skipped" time="0"><skipped/></testcase>
</testsuite></testsuites>"""


def count(folder, second=""):
    (folder / "steps").write_text("12 end-to-end tests\n")
    (folder / "pytest.xml").write_text(REPORT.format(second=second))
    return subprocess.run([CHECKOUT / "deploy/lib/count-tests", folder], capture_output=True, text=True)


def test_a_test_that_ran_again_counts_once_as_it_ended(tmp_path):
    passed = count(tmp_path)
    assert (passed.returncode, passed.stdout.splitlines()[-1]) == (0, "2 passed, 0 failed, 1 skipped")
    failed = count(tmp_path, '<failure message="tab crashed"/>')
    assert (failed.returncode, failed.stdout.splitlines()[-1]) == (1, "1 passed, 1 failed, 1 skipped")
    assert "failed: web.test_list test_again\n  tab crashed\n" in failed.stdout


def test_the_reports_of_all_processes_that_ran_swift_tests_count(tmp_path):
    (tmp_path / "steps").write_text("3 Swift tests\n")
    for part, name in enumerate(["one()", "other()"]):
        case = f'<testcase classname="LinksTests.Suite" name="{name}" time="1"/>'
        (tmp_path / f"swift-{part}.xml").write_text(f"<testsuites><testsuite>{case}</testsuite></testsuites>")
    command = [CHECKOUT / "deploy/lib/count-tests", tmp_path]
    counted = subprocess.run(command, capture_output=True, text=True)
    assert (counted.returncode, counted.stdout.splitlines()[-1]) == (0, "2 passed, 0 failed")
    # A process that has ended before it wrote its report.
    counted = subprocess.run([*command, "Swift tests"], capture_output=True, text=True)
    assert (counted.returncode, counted.stdout.splitlines()[-1]) == (1, "2 passed, 1 failed")
