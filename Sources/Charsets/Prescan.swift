/// Finds the encoding a page declares for itself: the "prescan a byte stream" algorithm of the HTML standard, and the
/// XML declaration.
struct Prescan {
    /// The number of bytes in the standard's prescan.
    private static let prescanned = 1_024
    /// The number of bytes in which a declaration is searched. Browsers also follow a meta after the prescan by parsing
    /// the page again, so this search continues beyond the prescan at once.
    static let maxSearchBytes = 65_536

    static func declaration(in page: ArraySlice<UInt8>) -> Encoding? {
        var prescan = Prescan(bytes: page.prefix(prescanned), entersScripts: true)
        if let encoding = prescan.xmlDeclaration() ?? prescan.metaDeclaration() { return encoding }
        var late = Prescan(bytes: page.prefix(maxSearchBytes), entersScripts: false)
        return late.metaDeclaration()
    }

    private var bytes: ArraySlice<UInt8>
    /// Whether tags inside scripts count. The standard's prescan does not recognise scripts, but a parser that finds a
    /// late meta does.
    private let entersScripts: Bool

    private init(bytes: ArraySlice<UInt8>, entersScripts: Bool) {
        self.bytes = bytes
        self.entersScripts = entersScripts
    }

    // MARK: - XML

    /// Reads `<?xml … encoding="…"` at the start of the page.
    private func xmlDeclaration() -> Encoding? {
        guard bytes.starts(with: "<?xml".utf8) else { return nil }
        let declaration = bytes.prefix { $0 != UInt8(ascii: ">") }.map(Prescan.lower)
        var text = Substring(String(decoding: declaration, as: UTF8.self))
        while let found = text.firstRange(of: "encoding") {
            text = text[found.upperBound...].drop(while: \.isWhitespace)
            guard text.first == "=" else { continue }
            text = text.dropFirst().drop(while: \.isWhitespace)
            guard let quote = text.first, quote == "\"" || quote == "'" else { return nil }
            return Encoding(label: String(text.dropFirst().prefix { $0 != quote }))?.asDeclaredInPage
        }
        return nil
    }

    // MARK: - Meta

    private mutating func metaDeclaration() -> Encoding? {
        while let open = bytes.firstIndex(of: UInt8(ascii: "<")) {
            bytes = bytes[open...]
            if bytes.starts(with: "<!--".utf8) {
                skipComment()
            } else if startsTag("<meta") {
                bytes = bytes.dropFirst(5)
                if let encoding = encodingOfMeta() { return encoding }
            } else if !entersScripts, let raw = ["script", "style"].first(where: { startsTag("<" + $0) }) {
                skipRawText(of: raw)
            } else if isTagStart {
                bytes = bytes.drop { !Prescan.isBlank($0) && $0 != UInt8(ascii: ">") }
                while takeAttribute() != nil {}
            } else if let next = bytes.dropFirst().first, "!/?".utf8.contains(next) {
                bytes = bytes.drop { $0 != UInt8(ascii: ">") }
            } else {
                bytes = bytes.dropFirst()
            }
        }
        return nil
    }

    /// Reads the attributes of one meta: `charset`, or `content` together with `http-equiv=content-type`.
    private mutating func encodingOfMeta() -> Encoding? {
        var seen: Set<String> = []
        var isContentType = false
        var needsContentType: Bool?
        var encoding: Encoding?
        while let (name, value) = takeAttribute() {
            guard seen.insert(name).inserted else { continue }
            switch name {
            case "http-equiv":
                if value == "content-type" { isContentType = true }
            case "content":
                if encoding == nil, let label = Prescan.label(inContent: value) {
                    encoding = Encoding(label: label)
                    needsContentType = encoding == nil ? needsContentType : true
                }
            case "charset":
                encoding = Encoding(label: value)
                needsContentType = false
            default: break
            }
        }
        // A tag that is cut off by the end of the page does not count.
        guard !bytes.isEmpty, let needsContentType, !needsContentType || isContentType else { return nil }
        return encoding?.asDeclaredInPage
    }

    /// Returns the label after `charset=` in a content attribute ("Extracting a character encoding from a meta
    /// element").
    static func label(inContent content: String) -> String? {
        var rest = Substring(content)
        while let found = rest.firstRange(of: "charset") {
            rest = rest[found.upperBound...].drop(while: \.isWhitespace)
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst().drop(while: \.isWhitespace)
            if let quote = rest.first, quote == "\"" || quote == "'" {
                let value = rest.dropFirst().prefix { $0 != quote }
                // An unclosed quote makes the label invalid.
                return value.endIndex == rest.endIndex ? nil : String(value)
            }
            return String(rest.prefix { !$0.isWhitespace && $0 != ";" })
        }
        return nil
    }

    // MARK: - Scanning

    private func startsTag(_ tag: String) -> Bool {
        let count = tag.utf8.count
        guard bytes.count > count, zip(bytes, tag.utf8).allSatisfy({ Prescan.lower($0) == $1 }) else { return false }
        let after = bytes[bytes.startIndex + count]
        return Prescan.isBlank(after) || after == UInt8(ascii: "/") || (after == UInt8(ascii: ">") && tag != "<meta")
    }

    /// `<a` or `</a`
    private var isTagStart: Bool {
        var next = bytes.dropFirst()
        if next.first == UInt8(ascii: "/") { next = next.dropFirst() }
        return next.first.map { (0x61...0x7A).contains($0 | 0x20) } ?? false
    }

    /// Skips to the end of the comment, which may overlap its beginning: `<!-->` is a comment.
    private mutating func skipComment() {
        bytes = bytes.dropFirst(2)
        while let close = bytes.firstIndex(of: UInt8(ascii: ">")) {
            let before = bytes[..<close].suffix(2)
            bytes = bytes[(close + 1)...]
            if before.elementsEqual("--".utf8) { return }
            // The two hyphens must be directly before the next `>`, so the bytes before this one no longer matter.
        }
        bytes = []
    }

    private mutating func skipRawText(of name: String) {
        bytes = bytes.dropFirst(1 + name.utf8.count)
        while let open = bytes.firstIndex(of: UInt8(ascii: "<")) {
            bytes = bytes[open...]
            if startsTag("</" + name) { return }
            bytes = bytes.dropFirst()
        }
        bytes = []
    }

    /// Reads one attribute ("get an attribute"). Returns name and value in lower case, or nil at the end of the tag.
    private mutating func takeAttribute() -> (name: String, value: String)? {
        bytes = bytes.drop { Prescan.isBlank($0) || $0 == UInt8(ascii: "/") }
        guard let first = bytes.first, first != UInt8(ascii: ">") else { return nil }
        // A leading `=` belongs to the name.
        let rest = bytes.dropFirst().prefix { !Prescan.isBlank($0) && !"=/>".utf8.contains($0) }
        let name = Prescan.text(bytes[bytes.startIndex..<rest.endIndex])
        bytes = bytes[rest.endIndex...].drop(while: Prescan.isBlank)
        guard bytes.first == UInt8(ascii: "=") else { return (name, "") }
        bytes = bytes.dropFirst().drop(while: Prescan.isBlank)
        if let quote = bytes.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            let value = bytes.dropFirst().prefix { $0 != quote }
            bytes = bytes.dropFirst(value.count + 2)
            return (name, Prescan.text(value))
        }
        let value = bytes.prefix { !Prescan.isBlank($0) && $0 != UInt8(ascii: ">") }
        bytes = bytes.dropFirst(value.count)
        return (name, Prescan.text(value))
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes.map(lower), as: UTF8.self) }
    private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(byte) }
}
