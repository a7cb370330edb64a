/// What the sanitizer lets through. Everything else goes.
enum SanitizerRules {
    /// Elements that stay. Of those that neither stay nor are removed, the contents stay.
    static let allowed: TagSet = [
        .a, .abbr, .acronym, .address, .article, .aside, .audio, .b, .bdi, .bdo, .big, .blockquote, .br, .caption,
        .center,
        .cite, .code, .col, .colgroup, .dd, .del, .details, .dfn, .div, .dl, .dt, .em, .figcaption, .figure, .footer,
        .h1, .h2, .h3, .h4, .h5, .h6, .header, .hgroup, .hr, .i, .img, .ins, .kbd, .li, .main, .mark, .ol, .p, .picture,
        .pre, .q, .rp, .rt, .ruby, .s, .samp, .section, .small, .source, .span, .strike, .strong, .sub, .summary, .sup,
        .table, .tbody, .td, .tfoot, .th, .thead, .time, .tr, .tt, .u, .ul, .var, .video, .wbr,
    ]

    /// Elements that go with all that is in them: code, styles, controls, other documents, texts that are not shown.
    static let removed: TagSet = [
        .script, .style, .template, .noscript, .noembed, .noframes, .iframe, .frame, .frameset, .object, .embed,
        .applet,
        .param, .input, .button, .select, .option, .optgroup, .textarea, .datalist, .output, .progress, .meter, .keygen,
        .canvas, .map, .area, .track, .link, .meta, .base, .basefont, .bgsound, .title, .head, .dialog, .slot, .svg,
        .menuitem, .isindex, .plaintext, .xmp, .listing,
    ]

    /// Attributes any element may have, whose values are plain text.
    static let globalText: Set<String> = ["title", "lang"]

    /// Attributes of single elements, whose values are plain text, numbers or keywords.
    static func isAllowedText(_ name: String, on tag: Tag) -> Bool {
        switch tag {
        case .img, .video: name == "alt" && tag == .img || name == "width" || name == "height"
        case .source: ["type", "media", "sizes", "width", "height"].contains(name)
        case .td, .th: ["colspan", "rowspan", "scope", "abbr"].contains(name)
        case .col, .colgroup: name == "span"
        case .ol: name == "start" || name == "reversed" || name == "type"
        case .li: name == "value"
        case .time, .del, .ins: name == "datetime"
        case .details: name == "open"
        default: false
        }
    }

    /// Schemes a link may have.
    static let linkSchemes: Set<String> = ["http", "https", "mailto"]

    /// Image types that cannot hold scripts. SVG can, so it is not among them.
    static let rasterTypes = ["png", "jpeg", "jpg", "gif", "webp", "avif", "bmp", "x-icon"]

    /// Before every id, so that none of a page's names can stand for something of ours.
    static let idPrefix = "lct-"
}
