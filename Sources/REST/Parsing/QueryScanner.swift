/// Scans the texts of `select`, `order` and filters, one Unicode scalar at a time.
///
/// It does not use characters: a combining mark after a comma or a dot would merge with it.
struct QueryScanner {
    private let text: [Unicode.Scalar]
    private(set) var position = 0
    /// The name of the text, for errors.
    private let part: String

    init(_ text: String, part: String) {
        self.text = Array(text.unicodeScalars)
        self.part = part
    }

    var peek: Unicode.Scalar? { position < text.count ? text[position] : nil }
    var isAtEnd: Bool { position == text.count }

    /// The text from the current position to the end.
    var rest: String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: text[position...])
        return String(view)
    }

    mutating func goBack(to earlier: Int) { position = earlier }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        position += 1
        return true
    }

    mutating func take(_ word: String) -> Bool {
        guard isBefore(word) else { return false }
        position += word.unicodeScalars.count
        return true
    }

    func isBefore(_ word: String) -> Bool { text[position...].starts(with: word.unicodeScalars) }

    mutating func takeWhile(_ isPart: (Unicode.Scalar) -> Bool) -> String {
        let start = position
        while let next = peek, isPart(next) { position += 1 }
        return string(from: start)
    }

    mutating func takeAll() -> String { takeWhile { _ in true } }

    mutating func skipBlanks() {
        while peek == " " || peek == "\t" || peek == "\n" || peek == "\r" { position += 1 }
    }

    mutating func expect(_ scalar: Unicode.Scalar) throws(QueryError) {
        guard take(scalar) else { throw error("expected \(scalar)") }
    }

    func expectEnd() throws(QueryError) {
        guard isAtEnd else { throw error("unexpected text") }
    }

    /// The text from `start` to the current position.
    func string(from start: Int) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: text[start..<position])
        return String(view)
    }

    /// An error at the current position.
    func error(_ description: String) -> QueryError {
        .malformed(part: part, details: "\(description) at character \(position + 1)")
    }

    // MARK: - Tokens

    /// A quoted text `"…"` in which `\` escapes the next character.
    mutating func quoted() throws(QueryError) -> String {
        try expect("\"")
        var value = String.UnicodeScalarView()
        while let next = peek {
            position += 1
            switch next {
            case "\"": return String(value)
            case "\\":
                guard let escaped = peek else { throw error("unterminated quotation") }
                value.append(escaped)
                position += 1
            default: value.append(next)
            }
        }
        throw error("unterminated quotation")
    }

    /// A name, quoted or bare. A bare name ends at a delimiter, a blank or an arrow.
    mutating func name() throws(QueryError) -> String {
        if peek == "\"" { return try quoted() }
        let start = position
        while let next = peek, !".,():!\" \t\n\r".unicodeScalars.contains(next), !isBefore("->") { position += 1 }
        guard position > start else { throw error("expected a name") }
        return string(from: start)
    }

    /// `column` or `column->key->>0`.
    mutating func field() throws(QueryError) -> Field {
        var field = Field(column: try name())
        while take("->") {
            let isText = take(">")
            let isQuoted = peek == "\""
            let operand = try name()
            if !isQuoted, let index = Int32(operand) {
                field.path.append(.init(operand: .index(Int(index)), isText: isText))
            } else {
                field.path.append(.init(operand: .key(operand), isText: isText))
            }
            guard field.path.count <= Field.maxPathSteps else {
                throw .tooComplex("A path of more than \(Field.maxPathSteps) steps")
            }
        }
        return field
    }

    /// `::type`, if there is one.
    mutating func cast() throws(QueryError) -> String? {
        guard take("::") else { return nil }
        let start = position
        let type = String(takeWhile { !".,()".unicodeScalars.contains($0) }[...].trimmed)
        if let known = Field.castable[type.lowercased()] { return known }
        let isName = type.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || "0123456789_ ".unicodeScalars.contains($0)
        }
        guard !type.isEmpty, isName else {
            goBack(to: start)
            throw error("expected a type")
        }
        throw .unknownType(type)
    }
}
