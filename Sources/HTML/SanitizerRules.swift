/// What the sanitizer lets through. Everything else goes.
enum SanitizerRules {
    // MARK: Elements

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
        .canvas, .area, .track, .link, .meta, .base, .basefont, .bgsound, .title, .head, .dialog, .svg, .menuitem,
        .isindex,
    ]

    /// Elements that stay under the name of what they look like: their texts are not to run into their neighbours', and
    /// nothing stays whose text is read by other rules.
    static let renamed: [Tag: Tag] = [
        .form: .div, .fieldset: .div, .legend: .div, .nav: .div, .search: .div, .menu: .ul, .dir: .ul,
        .xmp: .pre, .listing: .pre, .plaintext: .pre,
    ]

    /// Elements that may lie in each other, half of what browsers nest (512): the page around an article has room, and
    /// none of it comes to lie where a browser would flatten it. Deeper ones leave their contents.
    static let depth = 256

    // MARK: Attributes

    /// A page that is opened learns neither where the reader came from nor gets a hold on our window.
    static let rel = "noopener noreferrer"

    /// Before every id, so that none of a page's names can stand for something of ours.
    static let idPrefix = "lct-"

    /// The id with its prefix; nil for what no link could name.
    static func id(_ written: String) -> String? {
        guard !written.isEmpty, written.utf8.count <= idBytes, !written.utf8.contains(where: { $0 <= 0x20 }) else {
            return nil
        }
        let id = written.hasPrefix(idPrefix) ? written : idPrefix + written
        return id.utf8.count > idPrefix.utf8.count && id.utf8.count <= idBytes ? id : nil
    }

    /// The value an attribute without address may have, or nil.
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
        case ("media", .source), ("sizes", .source), ("sizes", .img): return word(value, of: conditionBytes, upTo: 1_000)
        case ("colspan", .td), ("colspan", .th), ("span", .col), ("span", .colgroup):
            return number(value, in: 1...largestSpan)
        case ("rowspan", .td), ("rowspan", .th): return number(value, in: 0...largestSpan)
        case ("scope", .th), ("scope", .td): return keyword(value, ["row", "col", "rowgroup", "colgroup"])
        case ("start", .ol), ("value", .li): return number(value, in: Int(Int32.min)...Int(Int32.max))
        case ("reversed", .ol), ("open", .details): return ""
        case ("type", .ol), ("type", .li): return ["1", "a", "A", "i", "I"].contains(value) ? value : nil
        case ("datetime", .time), ("datetime", .del), ("datetime", .ins): return word(value, of: timeBytes, upTo: 64)
        default: return nil
        }
    }

    /// Elements whose text the old attribute `align` moves; in tables it tells numbers from words.
    private static let aligned: TagSet = [
        .td, .th, .tr, .tbody, .thead, .tfoot, .p, .div, .h1, .h2, .h3, .h4, .h5, .h6,
    ]

    /// Columns and rows a cell may span. Source: https://html.spec.whatwg.org/multipage/tables.html#algorithm-for-processing-rows
    /// for columns; no table to be read has more rows.
    private static let largestSpan = 1_000

    // MARK: Bounds, in bytes of UTF-8

    /// Of a text such as `alt`; longer ones are cut. Descriptions of pictures are a few sentences.
    static let textBytes = 4_096
    static let idBytes = 200
    /// Of an address; longer ones go. Signed addresses of pictures have about 2,000.
    static let addressBytes = 8_192
    /// Of a whole `srcset`: some twenty of the longest usual addresses.
    static let sourceSetBytes = 32_768
    /// Of one picture written into the page. Most are icons under 10 kB; this holds a photograph of some 1,600 pixels.
    static let pictureBytes = 512 << 10
    /// Of all of them: an article is one row and one answer, which a phone takes whole.
    static let allPictureBytes = 2 << 20

    // MARK: Addresses

    /// Schemes a link may have.
    static let linkSchemes: Set<String> = ["http", "https", "mailto"]

    /// Image types that cannot hold scripts. SVG can, so it is not among them.
    private static let rasterTypes = ["png", "jpeg", "jpg", "gif", "webp", "avif", "bmp", "x-icon"]

    /// A raster image written into the page itself: its address without white space; nil when it is no such image or too
    /// large.
    static func rasterData(_ address: String) -> String? {
        // Line ends may add to it what they like; what is left is bounded.
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

    /// The whole number a value begins with, brought into the range.
    static func number(_ value: String, in range: ClosedRange<Int>) -> String? {
        var digits = value.utf8.drop(while: WhiteSpace.isASCII)
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
        digits = digits.prefix { $0 >= 0x30 && $0 <= 0x39 }
        // Ten digits are more than any range has.
        guard !digits.isEmpty, let number = Int(String(decoding: digits.prefix(11), as: UTF8.self)) else { return nil }
        return String(min(max(isNegative ? -number : number, range.lowerBound), range.upperBound))
    }

    /// Pixels or, with a sign, percent.
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
    /// Of media conditions and of the sizes they choose.
    private static let conditionBytes = Set((alphanumeric + " ()-:,.%<>=/*+").utf8)
}
