import Links

extension SanitizerPass {
    /// A link whose target within the page has not been resolved yet.
    struct Jump {
        let link: NodeID
        /// The id, with its prefix.
        let id: String
        /// Target URL if the content has no such id.
        let elsewhere: String?
    }

    /// Creates an element with the allowed attributes of `node`. Everything on it was added explicitly.
    ///
    /// Only a short list of attribute names is allowed, so the time is linear in the input, even with many attributes.
    mutating func makeClean(_ node: NodeID, _ tag: Tag) -> NodeID {
        let element = document.makeElement(tag)
        var kept: [Attribute] = []
        var name: String?
        for position in 0..<document.attributeCount(node) {
            let written = document.attribute(node, at: position)
            if tag == .a && written.name == "name" { name = written.value }
            guard let value = cleaned(written, of: element, tag), !kept.contains(where: { $0.name == written.name }) else {
                continue
            }
            kept.append(Attribute(name: written.name, value: value))
        }
        // The `name` attribute is the legacy form of an id.
        if let id = name.flatMap(SanitizerRules.id), !kept.contains(where: { $0.name == "id" }) {
            kept.append(Attribute(name: "id", value: id))
        }
        for attribute in kept {
            if attribute.name == "id" { ids.insert(attribute.value) }
            document.set(element, named: attribute.name, to: attribute.value)
        }
        switch tag {
        case .a:
            if document.has(element, .href) { document.set(element, .rel, to: SanitizerRules.rel) }
        case .audio, .video:
            document.set(element, .controls, to: "")
            document.set(element, .preload, to: "none")
        default: break
        }
        return element
    }

    /// Returns the sanitized value, or nil.
    private mutating func cleaned(_ attribute: Attribute, of element: NodeID, _ tag: Tag) -> String? {
        switch (attribute.name, tag) {
        case ("href", .a): link(attribute.value, of: element)
        case ("src", .img): picture(attribute.value)
        case ("src", .audio), ("src", .video), ("src", .source), ("poster", .video): media(attribute.value)
        case ("srcset", .img), ("srcset", .source): sourceSet(attribute.value)
        case ("cite", .blockquote), ("cite", .q), ("cite", .del), ("cite", .ins): media(attribute.value)
        default: SanitizerRules.value(of: attribute, on: tag)
        }
    }

    // MARK: Links

    private mutating func link(_ written: String, of element: NodeID) -> String? {
        guard written.utf8.count <= SanitizerRules.addressBytes else { return nil }
        let trimmed = WhiteSpace.trim(written)
        let address = WebAddress(trimmed, relativeTo: base)
        let target = trimmed.hasPrefix("#") ? String(trimmed.dropFirst()) : fragment(of: address)
        if let target, let jump = jump(from: element, to: target) {
            jumps.append(jump)
            return "#" + jump.id
        }
        guard !trimmed.hasPrefix("#"), let address, SanitizerRules.linkSchemes.contains(address.scheme) else { return nil }
        return bounded(address.text)
    }

    /// Returns the fragment of a URL that points into this page.
    private func fragment(of address: WebAddress?) -> String? {
        guard let address, let fragment = address.fragmentText, address.withFragment(nil) == page else { return nil }
        return fragment
    }

    private func jump(from link: NodeID, to target: String) -> Jump? {
        guard let id = SanitizerRules.id(target) else { return nil }
        // The page itself uses the id without the prefix.
        let name = id.dropFirst(SanitizerRules.idPrefix.count)
        let elsewhere = page.flatMap { $0.isHTTP ? bounded($0.withFragment(String(name)).text) : nil }
        return Jump(link: link, id: id, elsewhere: elsewhere)
    }

    /// Points links within the page to the prefixed ids. Links to an id that is not in the content lead to the original
    /// page.
    mutating func settleJumps() {
        for jump in jumps {
            if ids.contains(jump.id) { continue }
            // Browsers look up an id as written first, then percent-decoded.
            let decoded = SanitizerRules.id(PercentEncoding.decoded(jump.id))
            if let decoded, ids.contains(decoded) {
                document.set(jump.link, .href, to: "#" + decoded)
            } else if let elsewhere = jump.elsewhere {
                document.set(jump.link, .href, to: elsewhere)
            }
        }
    }

    // MARK: Images, audio and video

    /// Returns an absolute http(s) URL.
    func media(_ written: String) -> String? {
        guard written.utf8.count <= SanitizerRules.addressBytes,
            let address = WebAddress(written, relativeTo: base), address.isHTTP
        else { return nil }
        return bounded(address.text)
    }

    private func bounded(_ address: String) -> String? {
        address.utf8.count <= SanitizerRules.addressBytes ? address : nil
    }

    private mutating func picture(_ written: String) -> String? {
        guard let data = SanitizerRules.rasterData(written) else { return media(written) }
        guard pictureBytes + data.utf8.count <= SanitizerRules.allPictureBytes else { return nil }
        pictureBytes += data.utf8.count
        return data
    }

    private func sourceSet(_ written: String) -> String? {
        guard written.utf8.count <= SanitizerRules.sourceSetBytes else { return nil }
        let kept = SourceSet.candidates(of: written).compactMap { candidate -> String? in
            // A comma at the end of a URL would be parsed as the end of the candidate.
            guard let address = media(candidate.address), !address.hasSuffix(",") else { return nil }
            return candidate.size.isEmpty ? address : address + " " + candidate.size
        }.joined(separator: ", ")
        return kept.isEmpty || kept.utf8.count > SanitizerRules.sourceSetBytes ? nil : kept
    }
}
