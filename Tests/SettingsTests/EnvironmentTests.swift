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

    private func put(_ text: String, in path: String) {
        let file = fopen(path, "w")
        fputs(text, file)
        fclose(file)
    }

    @Test("a value can be in a file of its own or in a credential of systemd; both ways at once are refused")
    func files() throws {
        let folder = "/tmp/lectern-credentials-\(getpid())"
        mkdir(folder, 0o700)
        defer { for name in ["/url", "/LECTERN_METRICS_TOKEN", "/LECTERN_SMTP_URL", ""] { remove(folder + name) } }
        put("smtp://a:b@example.org\n", in: folder + "/url")
        put("token\n", in: folder + "/LECTERN_METRICS_TOKEN")
        put("another", in: folder + "/LECTERN_SMTP_URL")
        let given = ["LECTERN_SMTP_URL_FILE": folder + "/url", "CREDENTIALS_DIRECTORY": folder]
        let found = try Environment.withSecrets(given)
        #expect(found["LECTERN_SMTP_URL"] == "smtp://a:b@example.org" && found["LECTERN_SMTP_URL_FILE"] == nil)
        #expect(found["LECTERN_METRICS_TOKEN"] == "token")
        for (variables, problem) in [
            (
                given.merging(["LECTERN_SMTP_URL": "x"]) { $1 },
                "LECTERN_SMTP_URL and LECTERN_SMTP_URL_FILE are both set"
            ),
            (["LECTERN_SMTP_URL_FILE": folder + "/none"], "LECTERN_SMTP_URL_FILE: \(folder)/none cannot be read"),
            (["LECTERN_SMTP_URL_FILE": folder], "LECTERN_SMTP_URL_FILE: \(folder) cannot be read"),
        ] {
            let error = #expect(throws: Settings.Invalid.self) { try Environment.withSecrets(variables) }
            #expect(error?.problems.first?.hasPrefix(problem) == true, "\(problem)")
        }
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
