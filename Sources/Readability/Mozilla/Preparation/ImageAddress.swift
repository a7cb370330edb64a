import HTML

/// Recognises attribute values that are, or contain, the URL of an image file.
enum ImageAddress {
    /// Whether the text contains the file extension of an image, in any case.
    static func isMentioned(in text: String) -> Bool {
        let bytes = text.utf8.map(lowercased)
        return ends(in: bytes).contains { _ in true }
    }

    /// Whether the text is the URL of an image file and nothing else.
    static func isAddress(_ text: String) -> Bool {
        let trimmed = Array(WhiteSpace.trim(text).utf8)
        guard !hasSpace(trimmed) else { return false }
        return Vocabulary.imageEndings.contains { ending in
            trimmed.indices.dropFirst().contains { trimmed[$0...].starts(with: ending) }
        }
    }

    /// Whether an image file, white space and a digit follow each other: a list of URLs with sizes.
    static func isSourceSet(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let ends = ends(in: bytes)
        return bytes.withUnsafeBufferPointer { text in
            ends.contains { end in
                var next = end
                while next < text.count {
                    let space = WhiteSpace.length(in: text, at: next)
                    if space == 0 { break }
                    next += space
                }
                return next > end && next < text.count && text[next] >= 0x30 && text[next] <= 0x39
            }
        }
    }

    private static func ends(in bytes: [UInt8]) -> [Int] {
        bytes.indices.flatMap { index -> [Int] in
            guard bytes[index] == UInt8(ascii: ".") else { return [] }
            return Vocabulary.imageEndings.filter { bytes[index...].starts(with: $0) }.map { index + $0.count }
        }
    }

    private static func hasSpace(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { text in text.indices.contains { WhiteSpace.length(in: text, at: $0) > 0 } }
    }
}
