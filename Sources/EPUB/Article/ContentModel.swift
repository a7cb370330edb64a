import HTML

/// What XHTML allows where, as far as an article needs it.
/// Source: https://html.spec.whatwg.org/multipage/dom.html#kinds-of-content
enum ContentModel {
    /// What may stand at a place.
    struct Place {
        /// Whether blocks may stand there, or only text and what is in a line of text.
        var allowsBlocks = true
        /// Whether headings and sections may stand there.
        var allowsHeadings = true
        var isInLink = false
        var isPreformatted = false

        func within(_ change: (inout Place) -> Void) -> Place {
            var place = self
            change(&place)
            return place
        }

        var line: Place { within { $0.allowsBlocks = false } }
    }

    /// Elements that stay in a line of text, with the names under which they stay: HTML has given up some of them.
    static let inline: [Tag: String] = [
        .abbr: "abbr", .acronym: "abbr", .b: "b", .bdi: "bdi", .bdo: "bdo", .big: "span", .cite: "cite", .code: "code",
        .data: "span", .del: "del", .dfn: "span", .em: "em", .font: "span", .i: "i", .ins: "ins", .kbd: "kbd",
        .label: "span", .mark: "mark", .nobr: "span", .q: "q", .s: "s", .samp: "samp", .small: "small", .span: "span",
        .strike: "s", .strong: "strong", .sub: "sub", .sup: "sup", .time: "span", .tt: "code", .u: "u", .var: "var",
        .slot: "span",
    ]

    /// Elements that contain blocks, with the names under which they stay. Most have rules of their own in HTML that
    /// articles break, such as that a header contains no header; a `div` has none.
    static let blocks: [Tag: String] = [
        .address: "div", .article: "section", .aside: "aside", .blockquote: "blockquote", .body: "div", .center: "div",
        .details: "div", .dialog: "div", .div: "div", .fieldset: "div", .figcaption: "div", .figure: "figure",
        .footer: "div", .form: "div", .header: "div", .hgroup: "div", .legend: "div", .main: "div", .nav: "div",
        .search: "div", .section: "section",
    ]

    static let headings: [Tag: Int] = [.h1: 1, .h2: 2, .h3: 3, .h4: 4, .h5: 5, .h6: 6]

    /// Elements that are a block wherever they stand.
    static let block: TagSet = [
        .address, .article, .aside, .blockquote, .center, .details, .dialog, .div, .dl, .dt, .dd, .fieldset,
        .figcaption, .figure, .footer, .form, .header, .hgroup, .hr, .h1, .h2, .h3, .h4, .h5, .h6, .legend, .li,
        .listing, .main, .menu, .dir, .nav, .ol, .p, .plaintext, .pre, .search, .section, .summary, .table, .ul, .xmp,
    ]

    /// Elements of which a book shows nothing: programs, controls, and the head of a page.
    static let removed: TagSet = [
        .script, .style, .template, .noscript, .noembed, .noframes, .frame, .frameset, .param, .input, .button, .select,
        .option, .optgroup, .textarea, .datalist, .output, .progress, .meter, .keygen, .canvas, .area, .map, .track,
        .link, .meta, .base, .basefont, .bgsound, .title, .head, .svg, .menuitem, .isindex, .source, .rp,
    ]

    /// Elements that show another document or a recording, which become a link to it.
    static let embedded: TagSet = [.iframe, .embed, .object, .applet, .audio, .video]
}
