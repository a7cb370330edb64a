import Text

/// A list of addresses, one on each line; a title may follow the address.
enum AddressLines {
    private static let maxLine = 1 << 20

    static func read(_ pieces: @escaping Pieces, _ emit: (ImportedEntry) throws -> Void) throws {
        let pieces = TextPieces.of(pieces)
        var line: [UInt8] = []
        func end() throws {
            let text = String(utf8OrLatin1: line).trimmed
            line.removeAll(keepingCapacity: true)
            guard !text.isEmpty else { return }
            let parts = text.split(maxSplits: 1, whereSeparator: \.isWhitespace)
            try emit(ImportedEntry(url: parts.first.map(String.init), title: parts.count > 1 ? String(parts[1]) : nil))
        }
        while let piece = try pieces() {
            for byte in piece {
                if byte == 0x0A || byte == 0x0D { try end() } else if line.count < maxLine { line.append(byte) }
            }
        }
        try end()
    }

    /// Whether a text is such a list, as far as its beginning tells: its first line is an address, and so are most others.
    static func matches(_ head: String, isWhole: Bool) -> Bool {
        var lines = head.split(whereSeparator: \.isNewline).map(\.trimmed).filter { !$0.isEmpty }
        if !isWhole, lines.count > 1 { lines.removeLast() }
        guard let first = lines.first, isAddress(first) else { return false }
        return 2 * lines.count { isAddress($0) } > lines.count
    }

    private static func isAddress(_ line: String) -> Bool {
        let line = line.lowercased()
        return (line.hasPrefix("http://") || line.hasPrefix("https://")) && !line.contains { $0 == " " || $0 == "<" }
    }
}
