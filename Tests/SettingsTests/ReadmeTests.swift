import Glibc
import Settings
import Testing

@Suite("Settings / README")
struct ReadmeTests {
    @Test("the README names every setting, with its default", arguments: Setting.all.map(\.name))
    func named(name: String) throws {
        let setting = try #require(Setting.all.first { $0.name == name })
        let line = Self.readme.split(separator: "\n").first { $0.contains("`\(name)`") }
        #expect(line != nil, "\(name) is missing")
        if let line, line.hasPrefix("| `\(name)` |"), let standard = setting.default, !standard.isEmpty {
            #expect(line.contains("| `\(standard)` |"))
        }
    }

    private static let readme: String = {
        let path = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/README.md"
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }()
}
