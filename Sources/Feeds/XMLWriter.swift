/// Writes an XML 1.0 document. The document is well-formed whatever its texts hold: names are literals of the program,
/// elements are closed by the writer, and characters that XML does not allow are left out.
public struct XMLWriter: Sendable {
    /// Names and values; an attribute whose value is nil is left out. Each name may occur once.
    public typealias Attributes = KeyValuePairs<StaticString, String?>

    private var bytes: [UInt8] = []

    private init(capacity: Int) {
        bytes.reserveCapacity(capacity)
        bytes += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8
    }

    /// A whole document in UTF-8 with this root element.
    ///
    /// - Parameter capacity: the expected size in bytes. It saves copies of a large document.
    public static func document(
        _ root: StaticString, _ attributes: Attributes, capacity: Int = 0, _ content: (inout XMLWriter) -> Void
    ) -> [UInt8] {
        var writer = XMLWriter(capacity: capacity)
        writer.element(root, attributes, content)
        writer.bytes.append(UInt8(ascii: "\n"))
        return writer.bytes
    }

    /// Writes an element with other elements in it.
    public mutating func element(
        _ name: StaticString, _ attributes: Attributes = [:], _ content: (inout XMLWriter) -> Void
    ) {
        start(name, attributes)
        bytes.append(UInt8(ascii: ">"))
        content(&self)
        end(name)
    }

    /// Writes an element with a text in it; nothing without a text.
    public mutating func element(_ name: StaticString, _ attributes: Attributes = [:], text: String?) {
        guard let text else { return }
        start(name, attributes)
        bytes.append(UInt8(ascii: ">"))
        escape(text, isAttribute: false)
        end(name)
    }

    /// Writes an element without content.
    public mutating func element(_ name: StaticString, _ attributes: Attributes) {
        start(name, attributes)
        bytes += "/>".utf8
    }

    private mutating func start(_ name: StaticString, _ attributes: Attributes) {
        bytes.append(UInt8(ascii: "<"))
        append(name)
        for (name, value) in attributes {
            guard let value else { continue }
            bytes.append(UInt8(ascii: " "))
            append(name)
            bytes += "=\"".utf8
            escape(value, isAttribute: true)
            bytes.append(UInt8(ascii: "\""))
        }
    }

    private mutating func end(_ name: StaticString) {
        bytes += "</".utf8
        append(name)
        bytes.append(UInt8(ascii: ">"))
    }

    private mutating func append(_ name: StaticString) {
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Copies runs of characters that need no escape at once: an article has hundreds of kilobytes.
    private mutating func escape(_ text: String, isAttribute: Bool) {
        var text = text
        text.withUTF8 { source in
            var start = 0
            var index = 0
            var checked = 0
            while index < source.count {
                if index >= checked {
                    index = Self.skipLetters(of: source, from: index)
                    checked = index + 8
                    guard index < source.count else { break }
                }
                guard let (replacement, length) = Self.replacement(of: source, at: index, isAttribute) else {
                    index += 1
                    continue
                }
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: source[start..<index]))
                bytes += replacement.utf8
                index += length
                start = index
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: source[start...]))
        }
    }

    /// Skips bytes that never need an escape, eight at a time.
    ///
    /// - Returns: the start of eight bytes with one that may need it, or of fewer bytes at the end.
    @inline(__always)
    private static func skipLetters(of source: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        guard let base = source.baseAddress else { return start }
        var index = start
        while index + 8 <= source.count {
            let word = UnsafeRawPointer(base).loadUnaligned(fromByteOffset: index, as: UInt64.self)
            // The highest bit of a byte is set where the byte is less than 0x20, or equal to one of these.
            var special = (word &- ones &* 0x20) & ~word
            special |= zeroBytes(word ^ ones &* 0x26) | zeroBytes(word ^ ones &* 0x3C) | zeroBytes(word ^ ones &* 0x3E)
            special |= zeroBytes(word ^ ones &* 0x22) | zeroBytes(word ^ ones &* 0xEF)
            if special & (ones &* 0x80) != 0 { return index }
            index += 8
        }
        return index
    }

    /// One in each byte.
    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// Sets the highest bit of each byte that is zero, and of no byte below the first of them.
    @inline(__always)
    private static func zeroBytes(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }

    /// The text that replaces the character at this place, and the character's length in bytes; nil for a character that
    /// stays. The characters of XML 1.0 are in section 2.2 of its specification.
    @inline(__always)
    private static func replacement(
        of source: UnsafeBufferPointer<UInt8>, at index: Int, _ isAttribute: Bool
    ) -> (String, length: Int)? {
        switch source[index] {
        case UInt8(ascii: "&"): ("&amp;", 1)
        case UInt8(ascii: "<"): ("&lt;", 1)
        // For the end of a CDATA section, `]]>`, which text must not contain.
        case UInt8(ascii: ">"): ("&gt;", 1)
        case UInt8(ascii: "\"") where isAttribute: ("&quot;", 1)
        // A parser makes spaces of these in attributes, and line feeds of carriage returns in texts.
        case 0x09 where isAttribute: ("&#9;", 1)
        case 0x0A where isAttribute: ("&#10;", 1)
        case 0x0D: ("&#13;", 1)
        case 0x09, 0x0A: nil
        case 0x00..<0x20: ("", 1)
        // U+FFFE and U+FFFF. A string's storage is valid UTF-8, so the bytes that a first byte announces are present.
        case 0xEF where source[index + 1] == 0xBF && source[index + 2] >= 0xBE: ("", 3)
        default: nil
        }
    }
}
