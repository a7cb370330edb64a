/// Makes HTML of strangers safe to show: only elements, attributes and addresses of a list stay.
///
/// The answer is a fixed point: parsing it and writing it again gives the same bytes, so that no browser can read
/// something else in it than was checked (mutation XSS).
public struct Sanitizer: Sendable {
    /// What relative addresses are relative to; without it they go.
    public var base: WebAddress?

    public init(base: WebAddress? = nil) { self.base = base }

    /// The HTML that is left. Throws only when the input is beyond the parser's budget.
    public func sanitize(_ html: String) throws(ParseError) -> String {
        var current = Array(html.utf8)
        // Taking elements out may make a nesting that parsers read otherwise; each round brings it nearer to what they
        // read. Real pages need one or two.
        for _ in 0..<5 {
            let next = try pass(over: current)
            if next == current { return String(decoding: next, as: UTF8.self) }
            current = next
        }
        return try textAlone(of: current)
    }

    private func pass(over html: [UInt8]) throws(ParseError) -> [UInt8] {
        var document = Document()
        let fragment = try document.parseFragment(html)
        clean(fragment, in: &document)
        return Serializer.bytes(document, below: fragment)
    }

    /// The last resort for mark-up that never comes to rest.
    private func textAlone(of html: [UInt8]) throws(ParseError) -> String {
        var document = Document()
        let fragment = try document.parseFragment(html)
        clean(fragment, in: &document)
        let text = TextRenderer().render(document, fragment)
        let paragraph = document.makeElement(.p)
        let page = document.makeElement(.div)
        document.append(document.makeText(text), to: paragraph)
        document.append(paragraph, to: page)
        return Serializer.innerHTML(document, of: page)
    }

    // MARK: Elements

    private func clean(_ scope: NodeID, in document: inout Document) {
        var current = document.firstChild(scope)
        while let node = current {
            guard document.isElement(node) else {
                current = document.next(skipping: node, within: scope)
                continue
            }
            let tag = document.tag(node)
            if tag == .foreign || tag == .math {
                current = replaceForeign(node, within: scope, in: &document)
            } else if SanitizerRules.removed.contains(tag) {
                let next = document.next(skipping: node, within: scope)
                replaceEmbed(node, in: &document)
                document.detach(node)
                current = next
            } else if SanitizerRules.allowed.contains(tag) {
                cleanAttributes(of: node, tag, in: &document)
                current = document.next(after: node, within: scope)
            } else {
                let next = document.next(after: node, within: scope)
                document.unwrap(node)
                current = next
            }
        }
    }

    /// Pictures of SVG go. Formulas of MathML leave their text, which is mostly the formula in another notation.
    private func replaceForeign(_ node: NodeID, within scope: NodeID, in document: inout Document) -> NodeID? {
        let next = document.next(skipping: node, within: scope)
        if !document.isSVG(node) {
            let text = document.attribute(node, named: "alttext") ?? document.innerText(node)
            if !text.isEmpty { document.insert(document.makeText(text), before: node) }
        }
        document.detach(node)
        return next
    }

    /// An embedded player becomes a link to it, so that readers know there is one.
    private func replaceEmbed(_ node: NodeID, in document: inout Document) {
        guard document.tag(node) == .iframe || document.tag(node) == .embed,
            let address = document.attribute(node, .src).flatMap({ WebAddress($0, relativeTo: base) }), address.isHTTP
        else { return }
        let link = document.makeElement(.a)
        document.set(link, .href, to: address.text)
        document.set(link, .rel, to: Sanitizer.rel)
        document.append(document.makeText(address.text), to: link)
        document.insert(link, before: node)
    }

    // MARK: Attributes

    /// A page that is opened learns neither where the reader came from nor gets a hold on our window.
    private static let rel = "noopener noreferrer"

    private func cleanAttributes(of node: NodeID, _ tag: Tag, in document: inout Document) {
        let written = document.allAttributes(node)
        document.removeAllAttributes(node)
        for attribute in written {
            guard let value = cleaned(attribute, of: tag), document.attribute(node, named: attribute.name) == nil else {
                continue
            }
            document.set(node, named: attribute.name, to: value)
        }
        switch tag {
        case .a:
            if document.has(node, .href) { document.set(node, .rel, to: Sanitizer.rel) }
        case .audio, .video:
            document.set(node, .controls, to: "")
            document.set(node, .preload, to: "none")
        default: break
        }
    }

    /// The value that may stay, or nil.
    private func cleaned(_ attribute: Attribute, of tag: Tag) -> String? {
        switch (attribute.name, tag) {
        case ("id", _): return prefixed(attribute.value)
        case ("dir", _):
            let direction = attribute.value.lowercased()
            return ["ltr", "rtl", "auto"].contains(direction) ? direction : nil
        case ("href", .a): return link(attribute.value)
        case ("cite", .blockquote), ("cite", .q), ("cite", .del), ("cite", .ins): return media(attribute.value)
        case ("src", .img): return media(attribute.value) ?? rasterData(attribute.value)
        case ("src", .audio), ("src", .video), ("src", .source), ("poster", .video): return media(attribute.value)
        case ("srcset", .img), ("srcset", .source):
            let kept = SourceSet.candidates(of: attribute.value).compactMap { candidate in
                media(candidate.address).map { candidate.size.isEmpty ? $0 : $0 + " " + candidate.size }
            }
            return kept.isEmpty ? nil : kept.joined(separator: ", ")
        default:
            let isText = SanitizerRules.globalText.contains(attribute.name)
            return isText || SanitizerRules.isAllowedText(attribute.name, on: tag) ? attribute.value : nil
        }
    }

    private func prefixed(_ id: String) -> String? {
        guard !id.isEmpty, !id.utf8.contains(where: WhiteSpace.isASCII) else { return nil }
        return id.hasPrefix(SanitizerRules.idPrefix) ? id : SanitizerRules.idPrefix + id
    }

    /// Links within the page follow the ids to their new names.
    private func link(_ address: String) -> String? {
        let trimmed = WhiteSpace.trim(address)
        if trimmed.hasPrefix("#") { return prefixed(String(trimmed.dropFirst())).map { "#" + $0 } }
        guard let address = WebAddress(trimmed, relativeTo: base), SanitizerRules.linkSchemes.contains(address.scheme)
        else {
            return nil
        }
        return address.text
    }

    private func media(_ address: String) -> String? {
        guard let address = WebAddress(address, relativeTo: base), address.isHTTP else { return nil }
        return address.text
    }

    /// A raster image written into the page itself.
    private func rasterData(_ address: String) -> String? {
        let address = WhiteSpace.trim(address)
        let head = address.prefix(40).lowercased()
        guard SanitizerRules.rasterTypes.contains(where: { head.hasPrefix("data:image/\($0);base64,") }),
            let comma = address.firstIndex(of: ",")
        else { return nil }
        let isBase64 = address[comma...].dropFirst().utf8.allSatisfy {
            ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || ($0 >= 0x2F && $0 <= 0x39) || $0 == 0x2B || $0 == 0x3D
        }
        return isBase64 ? address : nil
    }
}
