/// The element names known at compile time, so that rules compare small integers instead of strings.
///
/// A case's spelling is the element's name.
public enum Tag: UInt32, CaseIterable, Sendable {
    /// Not an HTML element: text, the document node or a fragment.
    case none
    /// An HTML element with any other name; ``Document/name(of:)`` returns it.
    case other
    /// An SVG or MathML element with any name.
    case foreign

    case a, abbr, acronym, address, annotationXML, applet, area, article, aside, audio
    case b, base, basefont, bdi, bdo, bgsound, big, blink, blockquote, body, br, button
    case canvas, caption, center, cite, code, col, colgroup, content
    case data, datalist, dd, del, desc, details, dfn, dialog, dir, div, dl, dt
    case em, embed, fieldset, figcaption, figure, font, footer, foreignObject, form, frame, frameset
    case h1, h2, h3, h4, h5, h6, head, header, hgroup, hr, html
    case i, iframe, image, img, input, ins, isindex, kbd, keygen
    case label, legend, li, link, listing
    case main, malignmark, map, mark, marquee, math, menu, menuitem, meta, meter, mglyph, mi, mn, mo, ms, mtext
    case nav, nobr, noembed, noframes, noscript, object, ol, optgroup, option, output
    case p, param, picture, plaintext, pre, progress, q, rb, rbc, rp, rt, rtc, ruby
    case s, samp, script, search, section, select, shadow, slot, small, source, span, strike, strong, style, sub
    case summary, sup, svg, table, tbody, td, template, textarea, tfoot, th, thead, time, title, tr, track, tt
    case u, ul, `var`, video, wbr, xmp

    /// The name as written in HTML.
    public var spelling: String { Tag.spellings[Int(rawValue)] }

    /// `none`, `other` and `foreign` get spellings that no element name can have.
    static let spellings: [String] = allCases.map { tag in
        switch tag {
        case .none, .other, .foreign: "#\(tag)"
        case .annotationXML: "annotation-xml"
        default: "\(tag)"
        }
    }
}

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
