"""The maintenance mode: requests are refused with a message, and the pages load to show it."""

import subprocess

from support.client import wait_until


def test_maintenance_refuses_requests_with_its_message_and_lets_the_pages_load(running):
    user = running.sign_up()

    def lectern(*words, status=0):
        done = subprocess.run(
            [running.home / "bin/lectern", "maintain", *words], env=running.env(), capture_output=True, text=True
        )
        assert done.returncode == status, done
        return done.stdout + done.stderr

    def workers():
        return {number for number, command in running.command_lines().items() if "nginx: worker" in command}

    def switch(*words):
        """Changes the mode, and waits for the end of nginx's former processes, which may take a few more requests."""
        before = workers()
        said = lectern(*words)
        wait_until(lambda: (now := workers()) and not now & before)
        return said

    message = "The disk is being replaced; back at 18:00"
    assert message in switch("on", "--message", message)
    try:
        answer = user.rest("GET", "links")
        assert answer.status == 503
        assert answer.json()["message"] == message and int(answer["retry-after"]) >= 60
        assert answer["access-control-allow-origin"] == "*"
        refused = running.auth("POST", "token?grant_type=password", {"email": user.email, "password": "x"})
        assert refused.status == 503 and refused.json()["msg"] == message
        for path in ["/feed/t/x/unread.atom", "/opds", "/realtime/v1/websocket", "/import/v1/files?name=x"]:
            assert running.send("GET", path).status == 503, path
        for path in ["/", "/health", "/shared/api/client.js"]:
            assert running.send("GET", path).status == 200, path
        preflight = {"Origin": "https://example.org", "Access-Control-Request-Method": "GET"}
        assert running.send("OPTIONS", "/rest/v1/links", preflight).status in (200, 204)
        # A restart does not end it.
        running.run()
        assert user.rest("GET", "links").status == 503
    finally:
        switch("off")
    assert user.rest("GET", "links").status == 200
    for wrong in ['say "now"', "a\\b", "$host", "", "x" * 301]:
        lectern("on", "--message", wrong, status=2)
    assert user.rest("GET", "links").status == 200
