"""The API of wallabag, as its clients use it."""


def test_the_version_needs_no_credentials(lectern):
    for suffix in ["", ".json"]:
        answer = lectern.send("GET", f"/api/version{suffix}", {})
        assert (answer.status, answer["content-type"]) == (200, "application/json")
        assert answer.json().startswith("2.6.")
        assert lectern.send("GET", f"/api/info{suffix}", {}).json()["version"] == answer.json()


def test_errors_have_the_shape_of_wallabag(lectern):
    for method, path, status in [("GET", "/api/nothing", 404), ("POST", "/api/version", 405), ("GET", "/api/%zz", 400)]:
        answer = lectern.send(method, path, {})
        assert (answer.status, answer.json()["error"]["code"]) == (status, status)
