/// The table of contents: a tree of titles with the place of each.
struct Outline {
    struct Entry {
        var title: String
        /// The file, and the id of the element in it.
        var target: String
        var entries: [Entry] = []

        var depth: Int { 1 + (entries.map(\.depth).max() ?? 0) }
    }

    var entries: [Entry] = []
    var depth: Int { entries.map(\.depth).max() ?? 1 }

    /// Adds an article with its headings below it.
    mutating func add(_ title: String, target: String, headings: [(level: Int, title: String, target: String)]) {
        entries.append(Entry(title: title, target: target, entries: Self.nested(headings[...])))
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
