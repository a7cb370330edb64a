import JSON

/// A link with what belongs to it, as `rest.link_members` in `sql/schema/markdown_files.sql` describes it.
public struct ExportedLink {
    public struct Highlight: Equatable {
        public var quote: String
        public var note: String?
        public var color: String?
        /// Characters from the start of the article's text.
        public var offset: Int?
        public var createdAt: String
    }

    /// The members under the names of the database.
    public let members: JSON
    /// The names of a collection and of those around it, from the outside in; empty without a collection.
    public let path: [String]
    /// The sanitised HTML of the article; nil where there is none or it was not asked for.
    public let content: String?
    /// Seconds since 1970.
    public let savedAt: Int
    public let changedAt: Int

    /// - Parameters:
    ///   - json: the members.
    ///   - path: a JSON array of names.
    public init?(
        json: [UInt8], path: [UInt8]? = nil, content: String? = nil, savedAt: Int = 0, changedAt: Int = 0
    ) {
        guard let members = JSON(parsing: json) else { return nil }
        self.members = members
        self.path = path.flatMap { JSON(parsing: $0)?.array?.compactMap(\.string) } ?? []
        self.content = content
        self.savedAt = savedAt
        self.changedAt = changedAt
    }

    /// A text, nil if it is empty.
    public func text(_ name: String) -> String? {
        members[name]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    public func number(_ name: String) -> Int? {
        guard case .number(let value)? = members[name] else { return nil }
        return Int(exactly: value)
    }

    public func texts(_ name: String) -> [String] { members[name]?.array?.compactMap(\.string) ?? [] }

    /// The collections of the link, each with its names joined by slashes. A backslash stands before each of these
    /// characters, and before a backslash, in a name.
    public func collections(escaping characters: String) -> [String] {
        let paths = members["collection_paths"]?.array ?? []
        return paths.map { path in
            (path.array ?? []).compactMap(\.string).map { Self.escaped($0, characters) }.joined(separator: "/")
        }
    }

    /// A name with a backslash before each of these characters and before each backslash.
    public static func escaped(_ name: String, _ characters: String) -> String {
        // A combining mark after a character would make another one of the two.
        let marked = characters.unicodeScalars
        guard name.unicodeScalars.contains(where: { $0 == "\\" || marked.contains($0) }) else { return name }
        var text = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            if scalar == "\\" || marked.contains(scalar) { text.append("\\") }
            text.append(scalar)
        }
        return String(text)
    }

    public var url: String { text("url") ?? "" }
    /// The title, or the address of a link without one.
    public var title: String { text("title") ?? url }
    public var isStarred: Bool { members["starred"] == .bool(true) }

    public var highlights: [Highlight] {
        (members["highlights"]?.array ?? []).map { each in
            var highlight = Highlight(quote: each["quote"]?.string ?? "", createdAt: each["created_at"]?.string ?? "")
            highlight.note = each["note"]?.string.flatMap { $0.isEmpty ? nil : $0 }
            highlight.color = each["color"]?.string
            if case .number(let offset)? = each["start_offset"] { highlight.offset = Int(exactly: offset) }
            return highlight
        }
    }
}
