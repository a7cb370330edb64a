import Glibc
import Testing

@testable import Settings

@Suite("Settings / process environment")
struct EnvironmentTests {
    @Test("a variable of the process is found with its value, also with = in it")
    func found() {
        setenv("LECTERN_TEST_ENVIRONMENT", "a=b", 1)
        defer { unsetenv("LECTERN_TEST_ENVIRONMENT") }
        #expect(Environment.all["LECTERN_TEST_ENVIRONMENT"] == "a=b")
    }

    @Test("the secrets of the named file are added, and a variable takes precedence")
    func secrets() throws {
        let path = "/tmp/lectern-secrets-\(getpid())"
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { unlink(path) }
        let text = Array("LECTERN_A='secret'\nLECTERN_B='secret'\n".utf8)
        #expect(write(file, text, text.count) == text.count)
        close(file)
        let variables = ["LECTERN_SECRETS_FILE": path, "LECTERN_B": "variable"]
        let all = try Environment.withSecrets(variables)
        #expect(all == variables.merging(["LECTERN_A": "secret"]) { old, _ in old })
        #expect(try Environment.withSecrets(["LECTERN_SECRETS_FILE": ""]) == ["LECTERN_SECRETS_FILE": ""])
        let error = #expect(throws: Settings.Invalid.self) {
            try Environment.withSecrets(["LECTERN_SECRETS_FILE": "/nonexistent/secrets"])
        }
        #expect(error?.problems.first?.hasPrefix("LECTERN_SECRETS_FILE: /nonexistent/secrets cannot be read") == true)
    }
}
