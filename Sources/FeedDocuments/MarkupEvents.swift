import Text

/// The tags and texts of XML or HTML in their order. Nothing is checked: what is not a tag is text, and a tag that does
/// not end is dropped with the rest. Takes time proportional to the text.
struct MarkupEvents {
    enum Event {
        /// Names are in lower case. An element without content ends at once.
        case start(name: String, attributes: [String: String])
        case end(name: String)
        case text(String)
    }

    let bytes: [UInt8]
    /// The place of the next event.
    private(set) var position = 0
    /// The place of the last event.
    private(set) var start = 0
    private var openName: String?

    /// Bytes of the longest name of a tag, and attributes of a tag that are read.
    private static let (maxName, maxAttributes) = (100, 50)

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// - Returns: nil after the last event.
    mutating func next() -> Event? {
        start = position
        if let name = openName {
            openName = nil
            return .end(name: name)
        }
        while position < bytes.count {
            start = position
            guard bytes[position] == UInt8(ascii: "<"), let event = tag() else {
                if position < bytes.count { return text() }
                break
            }
            if let event = event.found { return event }
        }
        return nil
    }

    /// Moves on to the end of an element whose content is not markup.
    mutating func skip(to endTag: String) {
        position = place(of: Array(endTag.utf8), from: position) ?? bytes.count
    }

    // MARK: - Steps

    /// An event, or none for what is skipped.
    private struct Step { var found: Event? }

    /// - Returns: nil where no tag begins here; the rest is dropped where one does not end.
    private mutating func tag() -> Step? {
        if hasPrefix("<!--") { return skipped(after: "-->") }
        if hasPrefix("<![CDATA[") {
            let content = position + 9
            let end = place(of: Array("]]>".utf8), from: content)
            position = end.map { $0 + 3 } ?? bytes.count
            return Step(found: .text(String(decoding: bytes[content..<(end ?? bytes.count)], as: UTF8.self)))
        }
        if hasPrefix("<?") { return skipped(after: "?>") }
        if hasPrefix("<!") { return skippedDeclaration() }
        let isEnd = hasPrefix("</")
        var place = position + (isEnd ? 2 : 1)
        guard place < bytes.count, Self.isLetter(bytes[place]) else { return nil }
        let name = word(&place)
        if isEnd {
            position = bytes[place...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? bytes.count
            return Step(found: .end(name: name))
        }
        var attributes: [String: String] = [:]
        while place < bytes.count, bytes[place] != UInt8(ascii: ">") {
            attribute(&place, &attributes)
        }
        guard place < bytes.count else {
            position = bytes.count
            return Step()
        }
        if bytes[place - 1] == UInt8(ascii: "/") { openName = name }
        position = place + 1
        return Step(found: .start(name: name, attributes: attributes))
    }

    private mutating func text() -> Event {
        let end = bytes[(position + 1)...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        defer { position = end }
        return .text(CharacterReferences.standard.decoded(String(decoding: bytes[position..<end], as: UTF8.self)))
    }

    private mutating func skipped(after mark: String) -> Step {
        position = place(of: Array(mark.utf8), from: position).map { $0 + mark.utf8.count } ?? bytes.count
        return Step()
    }

    /// A document type may have declarations of its own in brackets.
    private mutating func skippedDeclaration() -> Step {
        var depth = 0
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "[") { depth += 1 } else if byte == UInt8(ascii: "]") { depth -= 1 }
            if byte == UInt8(ascii: ">"), depth <= 0 { break }
        }
        return Step()
    }

    /// Reads an attribute, or moves on by a byte.
    private func attribute(_ place: inout Int, _ attributes: inout [String: String]) {
        guard bytes[place] > 0x20, bytes[place] != UInt8(ascii: "/"), bytes[place] != UInt8(ascii: "=") else {
            place += 1
            return
        }
        let name = word(&place)
        skipSpace(&place)
        guard place < bytes.count, bytes[place] == UInt8(ascii: "=") else { return }
        place += 1
        skipSpace(&place)
        guard place < bytes.count else { return }
        let quote = bytes[place]
        let value: ArraySlice<UInt8>
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            let end = bytes[(place + 1)...].firstIndex(of: quote) ?? bytes.count
            value = bytes[(place + 1)..<end]
            place = min(end + 1, bytes.count)
        } else {
            value = bytes[place...].prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") }
            place = value.endIndex
        }
        guard attributes.count < Self.maxAttributes, attributes[name] == nil else { return }
        attributes[name] = CharacterReferences.standard.decoded(String(decoding: value, as: UTF8.self))
    }

    private func word(_ place: inout Int) -> String {
        let word = bytes[place...].prefix {
            $0 > 0x20 && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">")
        }
        place = word.endIndex
        return String(decoding: word.prefix(Self.maxName), as: UTF8.self).lowercased()
    }

    private func skipSpace(_ place: inout Int) {
        while place < bytes.count, bytes[place] <= 0x20 { place += 1 }
    }

    private func hasPrefix(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private func place(of mark: [UInt8], from place: Int) -> Int? {
        var place = place
        while let found = bytes[place...].firstIndex(of: mark[0]) {
            if bytes[found...].starts(with: mark) { return found }
            place = found + 1
        }
        return nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte & ~0x20) || byte == UInt8(ascii: "_") || byte >= 0x80
    }
}
