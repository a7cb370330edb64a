import Settings
import Testing

@Suite("Settings / environment")
struct SettingsTests {
    @Test("a setting that is not given has its default")
    func defaults() throws {
        let settings = try Settings(environment: ["PATH": "/bin"])
        #expect(settings.text("SIGNUP") == "first")
        #expect(settings.number("JOBS_ATTEMPTS") == 5)
    }

    @Test("a quota is a number, and off means no limit", arguments: [("off", 0), ("0", 0), ("12", 12)])
    func quotas(value: String, number: Int) throws {
        #expect(try Settings(environment: ["LECTERN_LINK_QUOTA": value]).number("LINK_QUOTA") == number)
    }

    @Test(
        "every quota has a limit by default",
        arguments: ["LINK_QUOTA", "STORAGE_QUOTA", "FETCH_QUOTA", "PICTURE_QUOTA"])
    func defaultQuotas(name: String) throws { #expect(try Settings(environment: [:]).number(name) > 0) }

    @Test("all problems are reported together, without secrets")
    func problems() {
        let error = #expect(throws: Settings.Invalid.self) {
            try Settings(environment: [
                "LECTERN_SIGNUP": "maybe", "LECTERN_WORKERS": "-1", "LECTERN_NO_SUCH": "x",
                "LECTERN_JWT_SECRET": "hunter2",
            ])
        }
        #expect(error?.problems.count == 4)
        #expect(error?.description.contains("LECTERN_NO_SUCH is not a setting") == true)
        #expect(error?.description.contains("hunter2") == false)
    }

    @Test("the other variables of lectern.env are not settings and not errors")
    func adminNames() throws {
        _ = try Settings(environment: ["LECTERN_URL": "x", "LECTERN_ANON_KEY": "y", "LECTERN_DATABASE_URL": "z"])
    }

    @Test("secrets are hidden when settings are shown")
    func hidden() throws {
        let secret = String(repeating: "s", count: 32)
        let settings = try Settings(environment: ["LECTERN_JWT_SECRET": secret])
        #expect(!settings.shown.contains { $0.value.contains("sss") })
        #expect(settings.shown.contains { $0.name == "JWT_SECRET" && !$0.isDefault })
    }

    @Test("a comma-separated list is read without blanks and empty elements")
    func lists() throws {
        let settings = try Settings(environment: ["LECTERN_CONFIG_BUCKETS": " a, b ,,c"])
        #expect(settings.list("CONFIG_BUCKETS") == ["a", "b", "c"])
    }

    @Test("the error for a missing setting contains its help")
    func required() throws {
        let settings = try Settings(environment: [:])
        let error = #expect(throws: Settings.Invalid.self) { try settings.required("DATABASE") }
        #expect(error?.description.contains("LECTERN_DATABASE is missing") == true)
    }
}
