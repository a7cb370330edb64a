import JSON

/// Takes a JSON file apart while it is read: the elements of its array, or of the arrays that are members of its object.
struct JSONValues {
    /// Bytes of the largest value that is kept in memory: an entry with its article, or a tree of bookmarks.
    private static let maxValue = 16 << 20

    private enum Place {
        case start
        /// In the outermost array.
        case array
        /// In the outermost object: before a name, and after it.
        case object
        case member
        /// In an array that is a member of the outermost object.
        case memberArray
        case end
    }

    private var place = Place.start
    private var value: [UInt8] = []
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// Whether the value has begun and is a number or a word, which ends before the next character of another kind.
    private var isWord = false
    private var name: String?

    /// Calls `body` with each value that ends in this piece, and the member it belongs to; nil in an array.
    mutating func add(_ piece: [UInt8], _ body: (_ member: String?, JSON) throws -> Void) throws {
        for byte in piece {
            if !value.isEmpty {
                if isWord, [0x2C, 0x5D, 0x7D, 0x3A].contains(byte) || byte <= 0x20 {
                    try endValue(body)
                } else {
                    try extend(byte, body)
                    continue
                }
            }
            if byte > 0x20 { try sign(byte, body) }
        }
    }

    mutating func end() throws {
        guard place == .end else { throw Self.incomplete }
    }

    private static var incomplete: UnreadableFile {
        UnreadableFile("The JSON of this file is incomplete. Export it again.")
    }
    private static var malformed: UnreadableFile { UnreadableFile("The JSON of this file is damaged.") }

    /// A character outside of values.
    private mutating func sign(_ byte: UInt8, _ body: (String?, JSON) throws -> Void) throws {
        switch (place, byte) {
        case (.start, UInt8(ascii: "[")): place = .array
        case (.start, UInt8(ascii: "{")): place = .object
        case (.array, UInt8(ascii: "]")), (.object, UInt8(ascii: "}")): place = .end
        case (.memberArray, UInt8(ascii: "]")): place = .object
        case (.array, UInt8(ascii: ",")), (.object, UInt8(ascii: ",")), (.memberArray, UInt8(ascii: ",")): break
        case (.member, UInt8(ascii: ":")): break
        case (.member, UInt8(ascii: "[")): place = .memberArray
        case (.start, _), (.end, _): throw Self.malformed
        default: try extend(byte, body)
        }
    }

    private mutating func extend(_ byte: UInt8, _ body: (String?, JSON) throws -> Void) throws {
        guard value.count < Self.maxValue else {
            throw UnreadableFile("An entry of this file has more than 16 MB.")
        }
        let isFirst = value.isEmpty
        value.append(byte)
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
                if depth == 0 { try endValue(body) }
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            guard depth >= 0 else { throw Self.malformed }
            if depth == 0 { try endValue(body) }
        default: if isFirst { isWord = true }
        }
    }

    private mutating func endValue(_ body: (String?, JSON) throws -> Void) throws {
        guard let json = JSON(parsing: value) else { throw Self.malformed }
        value.removeAll(keepingCapacity: value.count < 1 << 20)
        isWord = false
        switch place {
        case .object:
            guard let text = json.string else { throw Self.malformed }
            name = text
            place = .member
        case .member:
            place = .object
            try body(name, json)
        default: try body(place == .memberArray ? name : nil, json)
        }
    }
}

enum JSONFile {
    static func read(_ pieces: @escaping Pieces, _ body: (_ member: String?, JSON) throws -> Void) throws {
        let pieces = TextPieces.of(pieces)
        var values = JSONValues()
        while let piece = try pieces() { try values.add(piece, body) }
        try values.end()
    }
}

extension JSON {
    /// The text of the first of these members that is a text with more than blanks, or a number.
    func text(_ keys: String...) -> String? {
        for key in keys {
            switch self[key] {
            case .string(let text) where text.utf8.contains { $0 > 0x20 }: return text
            case .number(let number): return Int(exactly: number).map(String.init) ?? String(number)
            default: continue
            }
        }
        return nil
    }

    /// Whether a member says yes.
    func isSet(_ keys: String...) -> Bool {
        keys.contains { key in
            switch self[key] {
            case .bool(let flag): flag
            case .number(let number): number != 0
            case .string(let text): ["true", "yes", "1"].contains(text.lowercased())
            default: false
            }
        }
    }

    /// The names in an array of texts, or of objects with a name.
    func names(_ keys: String...) -> [String] {
        for key in keys {
            guard let values = self[key]?.array else { continue }
            return values.compactMap { $0.string ?? $0.text("name", "label", "tag", "title") }
        }
        return []
    }

    /// The objects in an array.
    func objects(_ key: String) -> [JSON] {
        (self[key]?.array ?? []).filter { if case .object = $0 { true } else { false } }
    }

    func time(_ keys: String..., now: Int) -> Int? {
        for key in keys {
            switch self[key] {
            case .number(let number): if let time = ImportTime.read(number, now: now) { return time }
            case .string(let text): if let time = ImportTime.read(text, now: now) { return time }
            default: continue
            }
        }
        return nil
    }
}
