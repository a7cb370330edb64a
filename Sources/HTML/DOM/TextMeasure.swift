/// Statistics of an element's text, after trimming and with each run of white space counted as one character.
public struct TextMeasure: Equatable, Sendable {
    /// In UTF-16 code units, as JavaScript counts.
    public var length = 0
    /// Number of `,` characters only.
    public var asciiCommas = 0
    /// Number of commas in all scripts.
    public var commas = 0

    private var hasStarted = false
    private var hasPendingSpace = false

    public init() {}

    public mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
        var index = 0
        while index < text.count {
            let byte = text[index]
            // Fast path: most characters are ASCII and neither white space nor commas.
            if byte > 0x2C, byte < 0x80, !hasPendingSpace, hasStarted {
                length += 1
                index += 1
                continue
            }
            let space = WhiteSpace.length(in: text, at: index)
            if space > 0 {
                hasPendingSpace = true
                index += space
                continue
            }
            if hasPendingSpace {
                if hasStarted { length += 1 }
                hasPendingSpace = false
            }
            hasStarted = true
            if byte < 0x80 {
                length += 1
                if byte == 0x2C {
                    asciiCommas += 1
                    commas += 1
                }
            } else if byte >= 0xC0 {
                length += byte >= 0xF0 ? 2 : 1
                if TextMeasure.isComma(text, at: index) { commas += 1 }
            }
            index += 1
        }
    }

    /// Returns the length before the first character of the next text that is not white space; nil if the text has
    /// none. It locates the start of an inner element's text within the text of an outer element.
    public func lengthBeforeVisibleText(of text: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = 0
        while index < text.count {
            let space = WhiteSpace.length(in: text, at: index)
            if space == 0 { return length + (hasStarted && (hasPendingSpace || index > 0) ? 1 : 0) }
            index += space
        }
        return nil
    }

    /// U+060C, FE50, FE10, FE11, 2E41, 2E34, 2E32, FF0C.
    /// Source: https://en.wikipedia.org/wiki/Comma#Comma_variants, the set Mozilla's Readability uses.
    private static func isComma(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        let second = index + 1 < text.count ? text[index + 1] : 0
        let third = index + 2 < text.count ? text[index + 2] : 0
        switch (text[index], second, third) {
        case (0xD8, 0x8C, _), (0xEF, 0xB9, 0x90), (0xEF, 0xB8, 0x90), (0xEF, 0xB8, 0x91), (0xE2, 0xB9, 0x81),
            (0xE2, 0xB8, 0xB4), (0xE2, 0xB8, 0xB2), (0xEF, 0xBC, 0x8C):
            return true
        default:
            return false
        }
    }
}
