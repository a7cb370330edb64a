import FoundationEssentials
import Settings
import Testing

/// `docs/update-settings` rewrites the rows of the page.
@Suite("Settings / docs/configuration.md")
struct ConfigurationPageTests {
    @Test("the page has every setting once, with its default and meaning", arguments: Setting.all.map(\.name))
    func described(name: String) throws {
        let setting = try #require(Setting.all.first { $0.name == name })
        let standard = setting.default ?? ""
        let row = "| `\(name)` | \(standard.isEmpty ? "" : "`\(standard)`") | \(setting.help) |"
        #expect(Self.rows.filter { $0.hasPrefix("| `\(name)` |") } == [row])
    }

    @Test("the page has no other settings")
    func noOthers() {
        #expect(Self.rows.count == Setting.all.count)
    }

    /// The rows that begin with the name of a setting.
    private static let rows: [String] = {
        let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try? String(contentsOf: checkout.appending(path: "docs/configuration.md"), encoding: .utf8)
        return (page ?? "").split(separator: "\n").map(String.init).filter {
            $0.wholeMatch(of: /\| `[A-Z_]+` \|.*/) != nil
        }
    }()
}
