import JSON
import Postgres

/// A link with what belongs to it, as `private.exported_links` in `sql/schema/exports.sql` returns it.
struct ExportedLink {
    struct Highlight: Equatable {
        var quote: String
        var note: String?
        var color: String?
        /// Characters from the start of the article's text.
        var offset: Int?
        var createdAt: String
    }

    /// The members under the names of the database.
    let members: JSON
    /// The names of a collection and of those around it, from the outside in; empty without a collection.
    let path: [String]
    /// The sanitised HTML of the article; nil where there is none or it was not asked for.
    let content: String?
    /// Seconds since 1970.
    let savedAt: Int
    let changedAt: Int

    /// - Parameters:
    ///   - json: the members.
    ///   - path: a JSON array of names.
    init?(json: [UInt8], path: [UInt8]? = nil, content: String? = nil, savedAt: Int = 0, changedAt: Int = 0) {
        guard let members = JSON(parsing: json) else { return nil }
        self.members = members
        self.path = path.flatMap { JSON(parsing: $0)?.array?.compactMap(\.string) } ?? []
        self.content = content
        self.savedAt = savedAt
        self.changedAt = changedAt
    }

    /// - Parameter rows: of the cursor.
    init?(_ rows: Rows, _ row: Int) {
        guard let json = rows.bytes(row, 0) else { return nil }
        self.init(
            json: Array(json), path: rows.bytes(row, 1).map { Array($0) }, content: rows.text(row, 2),
            savedAt: rows.int(row, 3) ?? 0, changedAt: rows.int(row, 4) ?? 0)
    }

    /// A text, nil if it is empty.
    func text(_ name: String) -> String? {
        members[name]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    func number(_ name: String) -> Int? {
        guard case .number(let value)? = members[name] else { return nil }
        return Int(exactly: value)
    }

    func texts(_ name: String) -> [String] { members[name]?.array?.compactMap(\.string) ?? [] }

    var url: String { text("url") ?? "" }
    /// The title, or the address of a link without one.
    var title: String { text("title") ?? url }
    var isStarred: Bool { members["starred"] == .bool(true) }

    var highlights: [Highlight] {
        (members["highlights"]?.array ?? []).map { each in
            var highlight = Highlight(quote: each["quote"]?.string ?? "", createdAt: each["created_at"]?.string ?? "")
            highlight.note = each["note"]?.string.flatMap { $0.isEmpty ? nil : $0 }
            highlight.color = each["color"]?.string
            if case .number(let offset)? = each["start_offset"] { highlight.offset = Int(exactly: offset) }
            return highlight
        }
    }
}
