@testable import Settings
import Testing

@Suite("Settings / table")
struct SettingTests {
    @Test("names are unique, and every setting has a help text")
    func names() {
        #expect(Set(Setting.all.map(\.name)).count == Setting.all.count)
        for setting in Setting.all { #expect(!setting.help.isEmpty && !setting.help.hasSuffix("."), "\(setting.name)") }
    }

    @Test("every default is valid", arguments: Setting.all.map(\.name))
    func defaults(name: String) throws {
        let setting = try #require(Setting.all.first { $0.name == name })
        if let value = setting.default { #expect(setting.problem(with: value) == nil) }
    }

    @Test(
        "each kind refuses other values",
        arguments: [
            (Setting.Kind.number(1...9), "0"), (.number(1...9), "10"), (.number(1...9), "x"), (.number(1...9), ""),
            (.choice(["on", "off"]), "On"), (.text, "a\0b"), (.quota(upTo: 9), "10"), (.quota(upTo: 9), "-1"),
            (.quota(upTo: 9), "none"),
        ])
    func refused(kind: Setting.Kind, value: String) {
        #expect(Setting(name: "X", help: "x", kind: kind).problem(with: value) != nil)
    }
}
