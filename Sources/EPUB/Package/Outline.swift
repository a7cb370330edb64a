/// The table of contents: a tree of titles with the place of each.
struct Outline: Sendable {
    struct Entry: Sendable {
        var title: String
        /// The file, and the id of the element in it.
        var target: String
        var entries: [Entry] = []

        var depth: Int { 1 + (entries.map(\.depth).max() ?? 0) }
    }

    var entries: [Entry] = []
    var depth: Int { entries.map(\.depth).max() ?? 1 }

    /// Headings of all articles. Readers hold the whole table of contents in memory.
    private static let maxHeadings = 20_000
    private var headingCount = 0

    /// Adds an article with its headings below it. The headings beyond the limit are left out.
    mutating func add(_ title: String, target: String, headings: [(level: Int, title: String, target: String)]) {
        let listed = headings.prefix(Self.maxHeadings - headingCount)
        headingCount += listed.count
        entries.append(Entry(title: title, target: target, entries: Self.nested(listed)))
    }

    /// Headings as a tree. A level that is left out makes no empty entry.
    private static func nested(_ headings: ArraySlice<(level: Int, title: String, target: String)>) -> [Entry] {
        var entries: [Entry] = []
        var rest = headings
        while let first = rest.first {
            rest = rest.dropFirst()
            let below = rest.prefix { $0.level > first.level }
            rest = rest.dropFirst(below.count)
            entries.append(Entry(title: first.title, target: first.target, entries: nested(below)))
        }
        return entries
    }
}
