/// Text for XML 1.0: without the characters that XML forbids, with those escaped that are markup.
enum XMLText {
    /// Appends text for element content and for attributes in double quotes.
    ///
    /// A no-break space is written as a number, because it cannot be distinguished from a space in a listing.
    static func append(_ text: String, to output: inout [UInt8]) {
        // Most text needs no change.
        guard text.utf8.contains(where: isSpecial) else {
            output.append(contentsOf: text.utf8)
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output.append(contentsOf: "&amp;".utf8)
            case "<": output.append(contentsOf: "&lt;".utf8)
            case ">": output.append(contentsOf: "&gt;".utf8)
            case "\"": output.append(contentsOf: "&quot;".utf8)
            case "\u{A0}": output.append(contentsOf: "&#160;".utf8)
            case "\r": output.append(UInt8(ascii: "\n"))
            default: if isAllowed(scalar) { output.append(contentsOf: String(scalar).utf8) }
            }
        }
    }

    /// Text on one line for a title or an attribute: without forbidden characters, each run of white space one space.
    ///
    /// - Parameter limit: the largest number of characters; a longer text ends with an ellipsis.
    static func line(_ text: String, limit: Int = .max) -> String {
        var line = ""
        var (count, needsSpace) = (0, false)
        for character in text {
            if character.isWhitespace {
                needsSpace = !line.isEmpty
                continue
            }
            let allowed = String(String.UnicodeScalarView(character.unicodeScalars.filter(isAllowed)))
            guard !allowed.isEmpty else { continue }
            guard count < limit else { return line + "…" }
            if needsSpace { line += " " }
            // Not to `line.unicodeScalars`, which would copy the whole line each time.
            line += allowed
            count += needsSpace ? 2 : 1
            needsSpace = false
        }
        return line
    }

    /// The bytes that text with markup, forbidden characters or a no-break space has. 0xEF begins the noncharacters
    /// U+FFFE and U+FFFF, 0xC2 the no-break space and the control characters from U+0080 on.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        (byte < 0x20 && byte != 0x0A && byte != 0x09) || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<")
            || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "\"") || byte == 0xC2 || byte == 0xEF || byte == 0x7F
    }

    /// The characters of XML 1.0 (https://www.w3.org/TR/xml/#charsets) without those it discourages: controls.
    static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: true
        case 0..<0x20, 0x7F...0x9F, 0xFFFE, 0xFFFF, 0xFDD0...0xFDEF: false
        default: scalar.value & 0xFFFE != 0xFFFE
        }
    }
}
