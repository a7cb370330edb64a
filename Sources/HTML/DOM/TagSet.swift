/// A set of element names. A lookup takes one shift and one mask.
public struct TagSet: Sendable, ExpressibleByArrayLiteral {
    private var low: UInt64 = 0
    private var middle: UInt64 = 0
    private var high: UInt64 = 0

    public init(arrayLiteral elements: Tag...) {
        for tag in elements { insert(tag) }
    }

    public init(_ tags: [Tag]) {
        for tag in tags { insert(tag) }
    }

    private mutating func insert(_ tag: Tag) {
        let bit = UInt64(1) << UInt64(tag.rawValue & 63)
        switch tag.rawValue >> 6 {
        case 0: low |= bit
        case 1: middle |= bit
        default: high |= bit
        }
    }

    public func contains(_ tag: Tag) -> Bool {
        word(tag.rawValue >> 6) >> UInt64(tag.rawValue & 63) & 1 == 1
    }

    /// Same as `contains(_:)` for a name's code, which equals the tag's raw value for known names.
    @inline(__always)
    func contains(code: UInt32) -> Bool { code < 192 && word(code >> 6) >> UInt64(code & 63) & 1 == 1 }

    @inline(__always)
    private func word(_ index: UInt32) -> UInt64 {
        switch index {
        case 0: low
        case 1: middle
        default: high
        }
    }

    public func union(_ other: TagSet) -> TagSet {
        var union = self
        union.low |= other.low
        union.middle |= other.middle
        union.high |= other.high
        return union
    }
}

extension TagSet {
    /// Elements that have neither content nor an end tag.
    /// Source: https://html.spec.whatwg.org/multipage/syntax.html#void-elements and the obsolete ones the serializer
    /// names.
    public static let void: TagSet = [
        .area, .base, .basefont, .bgsound, .br, .col, .embed, .frame, .hr, .img, .input, .keygen, .link, .meta, .param,
        .source, .track, .wbr,
    ]

    /// Elements whose text the serializer does not escape.
    /// Source: https://html.spec.whatwg.org/multipage/parsing.html#serialising-html-fragments (scripting off: not
    /// noscript)
    static let rawText: TagSet = [.style, .script, .xmp, .iframe, .noembed, .noframes, .plaintext]
}
