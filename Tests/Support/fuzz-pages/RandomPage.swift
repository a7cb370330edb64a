/// Generates pages that no author would write.
struct RandomPage {
    enum Kind: String, CaseIterable { case bytes, soup, grammar, mutation, repetition }

    /// Real pages to mutate; may be empty.
    let models: [[UInt8]]
    var numbers: SeededNumbers

    init(seed: UInt64, models: [[UInt8]]) {
        numbers = SeededNumbers(state: seed)
        self.models = models
    }

    mutating func make(_ kind: Kind) -> [UInt8] {
        switch kind {
        case .bytes: (0..<numbers.below(600)).map { _ in numbers.pick(RandomPage.bytes) }
        case .soup: Array((0..<1 + numbers.below(120)).map { _ in numbers.pick(RandomPage.pieces) }.joined().utf8)
        case .grammar: grammar()
        case .mutation: mutation()
        case .repetition: repetition()
        }
    }

    /// All bytes; those with a meaning in HTML are more frequent.
    private static let bytes =
        Array(UInt8.min...UInt8.max) + Array(String(repeating: "<>/!-=\"'& \n;#xabp\0", count: 12).utf8)

    // MARK: - Pieces

    static let pieces: [String] =
        tags + texts + [
            "<!--", "-->", "<!-- x -->", "--!>", "<!", "<?x>", "</>", "</ x>", "<![CDATA[", "]]>", "<", ">", "\"", "'",
            "=", "/",
            "<!DOCTYPE html>", "<a href=x>", "<a href='#y' id=y>", "<b class=x>", "<font color=red>",
            "<input type=hidden>",
            "<div class='article comment'>", "<div style='display:none'>", "<p dir=rtl lang=he>", "<img src=a.png>",
            "<img data-src=b.jpg srcset='c.jpg 1x, d 2x'>", "<iframe src=//youtube.com/embed/x>", "<h2 class=share>",
            "<base href='//b/'>", "<title>a | b: c</title>", "<body bgcolor=x>", "<html lang=x>", "<svg/>", "<math/>",
            "<annotation-xml encoding='text/html'>", "<foreignObject>", "<svg viewbox=1 xlink:href=x>",
            "<table id=t><tr><td>",
            "<meta property='og:title' content='&amp;quot;'>", "<span itemprop=author>", "<br><br>", "<pre>\n",
            "<textarea>\n",
            "<script type='application/ld+json'>"
                + "{\"@context\":\"https://schema.org\",\"@type\":\"Article\",\"name\":\"\\u0000\"}</script>",
        ]

    private static let names = [
        "a", "address", "applet", "article", "aside", "audio", "b", "big", "blockquote", "body", "br", "button",
        "caption",
        "center", "code", "col", "colgroup", "dd", "details", "div", "dl", "dt", "em", "embed", "fieldset",
        "figcaption",
        "figure", "font", "footer", "form", "frame", "frameset", "h1", "h3", "head", "header", "hr", "html", "i",
        "iframe",
        "image", "img", "input", "li", "link", "listing", "main", "marquee", "math", "menu", "meta", "mi", "mtext",
        "nav",
        "nobr", "noembed", "noframes", "noscript", "object", "ol", "optgroup", "option", "p", "param", "plaintext",
        "pre", "q",
        "rp", "rt", "rtc", "ruby", "s", "script", "section", "select", "small", "source", "span", "strike", "strong",
        "style",
        "sub", "summary", "svg", "table", "tbody", "td", "template", "textarea", "tfoot", "th", "thead", "time",
        "title",
        "tr", "track", "tt", "u", "ul", "var", "video", "wbr", "xmp", "x-own", "desc", "foreignobject",
        "annotation-xml",
    ]
    private static let tags = names.flatMap { ["<\($0)>", "</\($0)>"] }

    private static let texts = [
        "x", " ", "\n", "\r\n", "\t", "\0", "\u{FEFF}", "😀", "日本、", "&lt;", "&amp;nbsp;", "&#0;", "&#x80;", "&notit;",
        "&amp",
        "Words, and more words, go on. ", "A sentence long enough to be scored, with commas, and an end. ",
    ]

    // MARK: - Grammar

    /// Returns properly nested elements with occasional errors.
    private mutating func grammar() -> [UInt8] {
        var page = numbers.happens(oneIn: 2) ? "<!DOCTYPE html><html><head><title>T</title></head><body>" : ""
        var open: [String] = []
        for _ in 0..<20 + numbers.below(200) {
            switch numbers.below(10) {
            case 0...3:
                let name = numbers.pick(RandomPage.names.filter { $0 != "plaintext" && $0 != "frameset" })
                page += "<\(name)\(attributes())>"
                open.append(name)
            case 4...6: if let name = open.popLast() { page += "</\(name)>" }
            case 7...8: page += numbers.pick(RandomPage.texts)
            default: page += numbers.pick(RandomPage.pieces)
            }
        }
        return Array(page.utf8)
    }

    private mutating func attributes() -> String {
        guard numbers.happens(oneIn: 3) else { return "" }
        let name = numbers.pick([
            "class", "id", "href", "src", "style", "dir", "lang", "hidden", "role", "aria-hidden", "x:y", "A", "rel",
        ])
        let value = numbers.pick([
            "article", "comment", "sidebar", "x y", "&amp;", "http://h.example/?a=1&b=2", "#x", "javascript:x()",
            "display:none", "", "true",
        ])
        return " \(name)=\"\(value)\""
    }

    /// Repeats a few pieces many times; most repetition counts are small.
    private mutating func repetition() -> [UInt8] {
        let pieces = (0..<1 + numbers.below(4)).map { _ in numbers.pick(RandomPage.pieces) }.joined()
        let count = 1 << numbers.below(17)
        let prose = String(
            repeating: "<p>\(RandomPage.texts[RandomPage.texts.count - 1])</p>", count: numbers.below(12))
        return Array((prose + String(repeating: pieces, count: count)).utf8)
    }

    // MARK: - Mutation

    /// Cuts a section from a real page and changes it at random positions.
    private mutating func mutation() -> [UInt8] {
        guard !models.isEmpty else { return grammar() }
        let model = numbers.pick(models)
        let start = numbers.below(max(model.count - 20_000, 1))
        var page = Array(model[start..<min(start + 1_000 + numbers.below(40_000), model.count)])
        for _ in 0..<1 + numbers.below(20) where !page.isEmpty {
            let place = numbers.below(page.count)
            let end = min(place + numbers.below(500), page.count)
            switch numbers.below(5) {
            case 0: page.removeSubrange(place..<end)
            case 1: page.insert(contentsOf: Array(page[place..<end]), at: numbers.below(page.count))
            case 2: page.insert(contentsOf: numbers.pick(RandomPage.pieces).utf8, at: place)
            case 3: page[place] = numbers.pick(RandomPage.bytes)
            default: page.replaceSubrange(place..<end, with: numbers.pick(RandomPage.pieces).utf8)
            }
        }
        return page
    }
}
