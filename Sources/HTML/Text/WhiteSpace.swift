/// White space as defined by JavaScript's `\s` and `trim`, on UTF-8 bytes.
///
/// Source: https://tc39.es/ecma262/#prod-WhiteSpace and LineTerminator. Web pages, and the rules this code stays
/// compatible with, were written for browsers; hence this set instead of Unicode's.
public enum WhiteSpace {
    /// Returns the byte length of the white-space character at `index`; 0 if another character starts there.
    @inline(__always)
    public static func length(in text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        let byte = text[index]
        if byte <= 0x20 { return byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) ? 1 : 0 }
        if byte < 0xC2 { return 0 }
        return lengthBeyondASCII(in: text, at: index)
    }

    private static func lengthBeyondASCII(in text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        func byte(_ offset: Int) -> UInt8 { index + offset < text.count ? text[index + offset] : 0 }
        switch (text[index], byte(1), byte(2)) {
        case (0xC2, 0xA0, _): return 2  // U+00A0
        case (0xE1, 0x9A, 0x80): return 3  // U+1680
        case (0xE2, 0x80, 0x80...0x8A): return 3  // U+2000–200A
        case (0xE2, 0x80, 0xA8...0xA9), (0xE2, 0x80, 0xAF): return 3  // U+2028–2029, U+202F
        case (0xE2, 0x81, 0x9F): return 3  // U+205F
        case (0xE3, 0x80, 0x80): return 3  // U+3000
        case (0xEF, 0xBB, 0xBF): return 3  // U+FEFF
        default: return 0
        }
    }

    /// HTML's smaller set: tab, line feed, form feed, carriage return, space.
    @inline(__always)
    public static func isASCII(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D || byte == 0x0C
    }

    /// Removes leading and trailing white space.
    public static func trim(_ text: String) -> String {
        // Fast path for nearly all texts.
        if let first = text.utf8.first, let last = text.utf8.last, isVisible(first), isVisible(last) { return text }
        return String(decoding: trim(Array(text.utf8)), as: UTF8.self)
    }

    /// Whether a byte is a character by itself and not white space.
    private static func isVisible(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x80 }

    public static func trim(_ text: [UInt8]) -> ArraySlice<UInt8> {
        text.withUnsafeBufferPointer { bytes in
            var start = 0
            while start < bytes.count {
                let length = length(in: bytes, at: start)
                if length == 0 { break }
                start += length
            }
            var end = start
            var index = start
            while index < bytes.count {
                let length = length(in: bytes, at: index)
                index += max(length, 1)
                if length == 0 { end = index }
            }
            return start..<end
        }.asSlice(of: text)
    }

    /// Trims the text and replaces each run of two or more white-space characters with one space. A single white-space
    /// character stays as it is.
    public static func collapse(_ text: [UInt8]) -> [UInt8] {
        text.withUnsafeBufferPointer { bytes in
            var collapsed: [UInt8] = []
            collapsed.reserveCapacity(bytes.count)
            var index = 0
            while index < bytes.count {
                let first = length(in: bytes, at: index)
                guard first > 0 else {
                    collapsed.append(bytes[index])
                    index += 1
                    continue
                }
                let start = index
                index += first
                var characters = 1
                while index < bytes.count {
                    let more = length(in: bytes, at: index)
                    if more == 0 { break }
                    index += more
                    characters += 1
                }
                guard !collapsed.isEmpty, index < bytes.count else { continue }
                if characters == 1 {
                    collapsed.append(contentsOf: bytes[start..<index])
                } else {
                    collapsed.append(0x20)
                }
            }
            return collapsed
        }
    }

    public static func collapse(_ text: String) -> String {
        String(decoding: collapse(Array(text.utf8)), as: UTF8.self)
    }
}

extension Range<Int> {
    fileprivate func asSlice(of text: [UInt8]) -> ArraySlice<UInt8> { text[self] }
}
