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
