/// A page of a book as XHTML.
enum ContentDocument {
    /// - Parameters:
    ///   - title: the title of the page.
    ///   - language: the language of the page; nil: unknown.
    ///   - isRightToLeft: whether the text runs from right to left.
    ///   - kind: what the page is (`epub:type`).
    ///   - body: the content.
    static func page(
        title: String, language: String?, isRightToLeft: Bool = false, kind: String? = nil, _ body: [Markup]
    ) -> Markup {
        var html = MarkupElement("html")
        html["xmlns"] = "http://www.w3.org/1999/xhtml"
        html["xmlns:epub"] = "http://www.idpf.org/2007/ops"
        html["lang"] = language
        html["xml:lang"] = language
        if isRightToLeft { html["dir"] = "rtl" }
        // Readers of EPUB know the property by its first name, and browsers by its last.
        if language.map(LanguageTag.hasVerticalLines) == true {
            html["style"] = "-epub-writing-mode: vertical-lr; writing-mode: vertical-lr"
        }
        var content = MarkupElement("body", body)
        content["epub:type"] = kind
        html.children = [
            .element(
                "head", [:],
                [
                    .element("title", [:], [.text(title)]),
                    .element("link", ["rel": "stylesheet", "type": "text/css", "href": "style.css"]),
                ]),
            .element(content),
        ]
        return .element(html)
    }

    static func bytes(_ page: Markup, file: String = "", files: [String: String] = [:]) -> [UInt8] {
        var writer = MarkupWriter(file: file, files: files)
        writer.writeRaw("<!DOCTYPE html>\n")
        writer.write(page)
        return writer.bytes
    }

    /// What the page shows above an article: its title, who wrote it, where and when, with a link to its page.
    static func header(of article: BookArticle, id: String) -> Markup {
        let day = article.published.map { String($0.prefix(10)) }
        let about = [article.byline, article.siteName, day].compactMap { $0.map { XMLText.line($0, limit: 300) } }
            .filter { !$0.isEmpty }
        var header: [Markup] = [.element("h1", ["id": id], [.text(article.shownTitle)])]
        if !about.isEmpty { header.append(.element("p", ["class": "about"], [.text(about.joined(separator: " · "))])) }
        if let address = BookLink.cleaned(article.url) {
            header.append(.element("p", ["class": "source"], [.element("a", ["href": address], [.text(address)])]))
        }
        return .element("header", [:], header)
    }

    static func cover(title: String, language: String?, file: String) -> Markup {
        page(
            title: title, language: language, kind: "cover",
            [.element("div", ["class": "cover"], [.element("img", ["src": file, "alt": title])])])
    }
}
