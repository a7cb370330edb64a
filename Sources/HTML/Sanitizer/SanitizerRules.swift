/// The sanitizer's allow list. Everything else is removed.
enum SanitizerRules {
    // MARK: Elements

    /// Elements that stay. An element that is neither in this set nor in `removed` is replaced with its content.
    static let allowed: TagSet = [
        .a, .abbr, .acronym, .address, .article, .aside, .audio, .b, .bdi, .bdo, .big, .blockquote, .br, .caption,
        .center,
        .cite, .code, .col, .colgroup, .dd, .del, .details, .dfn, .div, .dl, .dt, .em, .figcaption, .figure, .footer,
        .h1, .h2, .h3, .h4, .h5, .h6, .header, .hgroup, .hr, .i, .img, .ins, .kbd, .li, .main, .mark, .ol, .p, .picture,
        .pre, .q, .rp, .rt, .ruby, .s, .samp, .section, .small, .source, .span, .strike, .strong, .sub, .summary, .sup,
        .table, .tbody, .td, .tfoot, .th, .thead, .time, .tr, .tt, .u, .ul, .var, .video, .wbr,
    ]

    /// Elements removed with their content: code, styles, controls, embedded documents, hidden text.
    static let removed: TagSet = [
        .script, .style, .template, .noscript, .noembed, .noframes, .iframe, .frame, .frameset, .object, .embed,
        .applet,
        .param, .input, .button, .select, .option, .optgroup, .textarea, .datalist, .output, .progress, .meter, .keygen,
        .canvas, .area, .track, .link, .meta, .base, .basefont, .bgsound, .title, .head, .dialog, .svg, .menuitem,
        .isindex,
    ]

    /// Elements replaced with the element they look like. This keeps their text separate from neighbouring text and
    /// removes elements whose text is parsed by special rules.
    static let renamed: [Tag: Tag] = [
        .form: .div, .fieldset: .div, .legend: .div, .nav: .div, .search: .div, .menu: .ul, .dir: .ul,
        .xmp: .pre, .listing: .pre, .plaintext: .pre,
    ]

    /// Maximum nesting depth, half of what browsers allow (512). This leaves room for the page around an article, so
    /// that a browser never flattens the content. Deeper elements are replaced with their content.
    static let depth = 256

    // MARK: Attributes

    /// A page opened from a link neither learns the referrer nor can access the opening window.
    static let rel = "noopener noreferrer"

    /// Prefix of all ids, so that a page's ids cannot clash with those of the application.
    static let idPrefix = "lct-"

    /// Returns the id with its prefix; nil for a value that no link can refer to.
    static func id(_ written: String) -> String? {
        guard !written.isEmpty, written.utf8.count <= idBytes, !written.utf8.contains(where: { $0 <= 0x20 }) else {
            return nil
        }
        let id = written.hasPrefix(idPrefix) ? written : idPrefix + written
        return id.utf8.count > idPrefix.utf8.count && id.utf8.count <= idBytes ? id : nil
    }

    /// What the URL in an attribute is for.
    enum URLUse {
        case link, picture
        /// A file or page that only an http or https URL may name.
        case media
        case sourceSet
    }

    /// Returns the use of an allowed attribute that contains URLs; nil for any other attribute.
    static func url(in attribute: Attribute, on tag: Tag) -> URLUse? {
        switch (attribute.name, tag) {
        case ("href", .a): .link
        case ("src", .img): .picture
        case ("src", .audio), ("src", .video), ("src", .source), ("poster", .video): .media
        case ("srcset", .img), ("srcset", .source): .sourceSet
        case ("cite", .blockquote), ("cite", .q), ("cite", .del), ("cite", .ins): .media
        default: nil
        }
    }

    /// Returns the allowed value of an attribute that is not a URL, or nil.
    static func value(of attribute: Attribute, on tag: Tag) -> String? {
        let value = attribute.value
        switch (attribute.name, tag) {
        case ("id", _): return id(value)
        case ("title", _), ("alt", .img), ("abbr", .td), ("abbr", .th): return text(value)
        case ("lang", _): return word(value, of: languageBytes, upTo: 35)
        case ("dir", _): return keyword(value, ["ltr", "rtl", "auto"])
        case ("style", _): return SanitizerStyle.cleaned(value, of: tag)
        case ("align", _) where aligned.contains(tag): return keyword(value, ["left", "right", "center", "justify"])
        case ("width", .img), ("height", .img), ("width", .video), ("height", .video), ("width", .source),
            ("height", .source):
            return length(value)
        case ("type", .source): return word(value, of: mediaTypeBytes, upTo: 200)
        case ("media", .source), ("sizes", .source), ("sizes", .img):
            return word(value, of: conditionBytes, upTo: 1_000)
        case ("colspan", .td), ("colspan", .th), ("span", .col), ("span", .colgroup):
            return number(value, in: 1...maxSpan)
        case ("rowspan", .td), ("rowspan", .th): return number(value, in: 0...maxSpan)
        case ("scope", .th), ("scope", .td): return keyword(value, ["row", "col", "rowgroup", "colgroup"])
        case ("start", .ol), ("value", .li): return number(value, in: Int(Int32.min)...Int(Int32.max))
        case ("reversed", .ol), ("open", .details): return ""
        case ("type", .ol), ("type", .li): return ["1", "a", "A", "i", "I"].contains(value) ? value : nil
        case (CodeLanguage.attribute, .pre): return CodeLanguage.checked(value[...])
        case ("datetime", .time), ("datetime", .del), ("datetime", .ins): return word(value, of: timeBytes, upTo: 64)
        default: return nil
        }
    }

    /// Elements that the legacy attribute `align` applies to; in tables it distinguishes numbers from words.
    private static let aligned: TagSet = [
        .td, .th, .tr, .tbody, .thead, .tfoot, .p, .div, .h1, .h2, .h3, .h4, .h5, .h6,
    ]

    /// Maximum columns and rows that a cell spans. Source for columns:
    /// https://html.spec.whatwg.org/multipage/tables.html#algorithm-for-processing-rows; no table meant for reading has
    /// more rows.
    private static let maxSpan = 1_000

    // MARK: Limits, in bytes of UTF-8

    /// For a text such as `alt`; longer texts are truncated. Image descriptions are a few sentences long.
    static let textBytes = 4_096
    static let idBytes = 200
    /// For a URL; longer URLs are removed. Signed image URLs have about 2,000 bytes.
    static let addressBytes = 8_192
    /// For a whole `srcset`: about twenty of the longest usual URLs.
    static let sourceSetBytes = 32_768
    /// For one inline image. Most are icons under 10 kB; the limit allows a photograph of about 1,600 pixels.
    static let pictureBytes = 512 << 10
    /// For all inline images together: an article is one database row and one response, which a phone loads as a whole.
    static let totalPictureBytes = 2 << 20

    // MARK: URLs

    /// Schemes allowed in links.
    static let linkSchemes: Set<String> = ["http", "https", "mailto"]

    /// Image types that cannot contain scripts. SVG can, so it is not in the list.
    private static let rasterTypes = ["png", "jpeg", "jpg", "gif", "webp", "avif", "bmp", "x-icon"]

    /// Returns the data URL of an inline raster image, without white space; nil if it is not such an image or too
    /// large.
    static func rasterData(_ address: String) -> String? {
        // Line breaks may enlarge the value; the length without them is checked below.
        guard address.utf8.count <= 2 * pictureBytes else { return nil }
        let bytes = address.utf8.filter { !WhiteSpace.isASCII($0) }
        guard bytes.count <= pictureBytes, let comma = bytes.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        let head = String(decoding: bytes[..<comma], as: UTF8.self).lowercased()
        guard rasterTypes.contains(where: { head == "data:image/\($0);base64" }) else { return nil }
        let isBase64 = bytes[(comma + 1)...].allSatisfy {
            ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || ($0 >= 0x2F && $0 <= 0x39) || $0 == 0x2B || $0 == 0x3D
        }
        return isBase64 ? String(decoding: bytes, as: UTF8.self) : nil
    }

    // MARK: Values

    static func text(_ value: String) -> String {
        guard value.utf8.count > textBytes else { return value }
        var end = value.utf8.index(value.startIndex, offsetBy: textBytes)
        while value.utf8[end] & 0xC0 == 0x80 { end = value.utf8.index(before: end) }
        return String(value[..<end])
    }

    static func keyword(_ value: String, _ keywords: Set<String>) -> String? {
        let lowered = WhiteSpace.trim(value).lowercased()
        return keywords.contains(lowered) ? lowered : nil
    }

    /// Returns the leading integer of a value, clamped to the range.
    static func number(_ value: String, in range: ClosedRange<Int>) -> String? {
        var digits = value.utf8.drop(while: WhiteSpace.isASCII)
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
        digits = digits.prefix { $0 >= 0x30 && $0 <= 0x39 }
        // No range needs more than ten digits.
        guard !digits.isEmpty, let number = Int(String(decoding: digits.prefix(11), as: UTF8.self)) else { return nil }
        return String(min(max(isNegative ? -number : number, range.lowerBound), range.upperBound))
    }

    /// Returns a number of pixels, or a percentage if the value ends with `%`.
    private static func length(_ value: String) -> String? {
        guard let number = number(value, in: 0...99_999) else { return nil }
        let isPercent = WhiteSpace.trim(value).hasSuffix("%")
        return isPercent ? number + "%" : number
    }

    private static func word(_ value: String, of bytes: Set<UInt8>, upTo limit: Int) -> String? {
        guard value.utf8.count <= limit else { return nil }
        let trimmed = WhiteSpace.trim(value)
        return !trimmed.isEmpty && trimmed.utf8.allSatisfy(bytes.contains) ? trimmed : nil
    }

    private static let alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    private static let languageBytes = Set((alphanumeric + "-").utf8)
    private static let timeBytes = Set((alphanumeric + "-+:., ").utf8)
    private static let mediaTypeBytes = Set((alphanumeric + "/.+-; =,\"'_").utf8)
    /// For media conditions and the sizes they select.
    private static let conditionBytes = Set((alphanumeric + " ()-:,.%<>=/*+").utf8)
}
