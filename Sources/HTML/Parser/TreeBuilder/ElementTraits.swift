/// Properties of open elements that the tree builder checks often.
///
/// Source: https://html.spec.whatwg.org/multipage/parsing.html#the-stack-of-open-elements
struct ElementTraits: OptionSet, Sendable {
    let rawValue: UInt16

    /// In the category "special".
    static let special = ElementTraits(rawValue: 1)
    /// Terminates the search for an element in scope, list item scope, button scope or table scope.
    static let scope = ElementTraits(rawValue: 2)
    static let listItemScope = ElementTraits(rawValue: 4)
    static let buttonScope = ElementTraits(rawValue: 8)
    static let tableScope = ElementTraits(rawValue: 16)
    /// The end tag is optional; `thoroughlyImpliedEnd` adds those that are implied at the end of a template.
    static let impliedEnd = ElementTraits(rawValue: 32)
    static let thoroughlyImpliedEnd = ElementTraits(rawValue: 64)
    /// An SVG or MathML element.
    static let foreign = ElementTraits(rawValue: 128)
    static let htmlIntegrationPoint = ElementTraits(rawValue: 256)
    static let mathTextIntegrationPoint = ElementTraits(rawValue: 512)

    /// Returns the traits of an HTML element.
    static func html(_ tag: Tag) -> ElementTraits { table[Int(tag.rawValue)] }

    private static let table: [ElementTraits] = Tag.allCases.map { tag in
        var traits: ElementTraits = []
        if specials.contains(tag) { traits.insert(.special) }
        if scopes.contains(tag) { traits.insert([.scope, .listItemScope, .buttonScope]) }
        if tag == .ol || tag == .ul { traits.insert(.listItemScope) }
        if tag == .button { traits.insert(.buttonScope) }
        if tag == .html || tag == .table || tag == .template { traits.insert(.tableScope) }
        if impliedEnds.contains(tag) { traits.insert([.impliedEnd, .thoroughlyImpliedEnd]) }
        if tableEnds.contains(tag) { traits.insert(.thoroughlyImpliedEnd) }
        return traits
    }

    /// Returns the traits of an SVG or MathML element.
    static func foreign(_ tag: Tag, isSVG: Bool) -> ElementTraits {
        let special: ElementTraits = [.foreign, .special, .scope, .listItemScope, .buttonScope]
        switch tag {
        case .foreignObject, .desc, .title: return isSVG ? special.union(.htmlIntegrationPoint) : .foreign
        case .mi, .mo, .mn, .ms, .mtext: return isSVG ? .foreign : special.union(.mathTextIntegrationPoint)
        case .annotationXML: return isSVG ? .foreign : special
        default: return .foreign
        }
    }

    private static let specials: TagSet = [
        .address, .applet, .area, .article, .aside, .base, .basefont, .bgsound, .blockquote, .body, .br, .button,
        .caption, .center, .col, .colgroup, .dd, .details, .dir, .div, .dl, .dt, .embed, .fieldset, .figcaption,
        .figure, .footer, .form, .frame, .frameset, .h1, .h2, .h3, .h4, .h5, .h6, .head, .header, .hgroup, .hr, .html,
        .iframe, .img, .input, .keygen, .li, .link, .listing, .main, .marquee, .menu, .meta, .nav, .noembed, .noframes,
        .noscript, .object, .ol, .p, .param, .plaintext, .pre, .script, .search, .section, .select, .source, .style,
        .summary, .table, .tbody, .td, .template, .textarea, .tfoot, .th, .thead, .title, .tr, .track, .ul, .wbr, .xmp,
    ]
    private static let scopes: TagSet = [
        .applet, .caption, .html, .table, .td, .th, .marquee, .object, .select, .template,
    ]
    private static let impliedEnds: TagSet = [.dd, .dt, .li, .optgroup, .option, .p, .rb, .rp, .rt, .rtc]
    private static let tableEnds: TagSet = [.caption, .colgroup, .tbody, .td, .tfoot, .th, .thead, .tr]
}
