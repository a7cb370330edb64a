import HTTP
import Testing

@testable import App

@Suite("App / slow work")
struct SlowWorkTests {
    private func isSlow(_ method: String, _ path: String, _ query: String = "") -> Bool {
        SlowWork.contains(Request(method: method, path: path, query: query))
    }

    @Test(
        "requests that may hash a password are slow work",
        arguments: [
            ("POST", "/auth/v1/signup", ""), ("POST", "/auth/v1/signup", "redirect_to=https%3A%2F%2Fexample.org"),
            ("POST", "/auth/v1/token", "grant_type=password"), ("POST", "/auth/v1/token", "a=b&grant_type=pass%77ord"),
            ("PUT", "/auth/v1/user", ""), ("DELETE", "/auth/v1/user", ""), ("POST", "/auth/v1/admin/users", ""),
            ("PUT", "/auth/v1/admin/users/00000000-0000-4000-8000-000000000001", ""),
            ("POST", "/auth/v1/admin/generate_link", ""), ("POST", "/auth/v1/tokens", ""),
        ])
    func slow(method: String, path: String, query: String) { #expect(isSlow(method, path, query)) }

    @Test(
        "all other requests are ordinary",
        arguments: [
            ("POST", "/auth/v1/token", "grant_type=refresh_token"), ("POST", "/auth/v1/token", ""),
            ("POST", "/auth/v1/token", "grant_type=refresh_token&grant_type=password"),
            ("POST", "/auth/v1/token", "grant_type=password&broken=%"), ("GET", "/auth/v1/user", ""),
            ("POST", "/auth/v1/logout", ""), ("GET", "/auth/v1/admin/users", ""),
            ("OPTIONS", "/auth/v1/token", "grant_type=password"),
            ("GET", "/rest/v1/links", ""), ("POST", "/rest/v1/links", ""), ("POST", "/rest/v1/my%20table", ""),
            ("GET", "/health", ""),
        ])
    func ordinary(method: String, path: String, query: String) { #expect(!isSlow(method, path, query)) }

    @Test(
        "a client of wallabag is slow work only with a password that is not an API token",
        arguments: [
            ("password", "secret", true), ("password", "lct_" + String(repeating: "x", count: 43), false),
            ("refresh_token", "secret", false),
        ])
    func wallabag(grant: String, password: String, isSlow: Bool) {
        let form = "grant_type=\(grant)&username=a%40b&password=\(password)"
        #expect(self.isSlow("GET", "/oauth/v2/tok%65n", form) == isSlow)
        let request = Request(
            method: "POST", path: "/oauth/v2/token", headers: ["content-type": "application/x-www-form-urlencoded"],
            body: Array(form.utf8))
        #expect(SlowWork.contains(request) == isSlow)
    }

    @Test(
        "percent-encoding in the path does not bypass the queue",
        arguments: [
            "/auth/v1/tok%65n", "/auth/%76%31/signup",
        ])
    func escaped(path: String) { #expect(isSlow("POST", path, "grant_type=password")) }
}
