import Links

extension SanitizerPass {
    /// A link whose target within the page has not been resolved yet.
    struct FragmentLink {
        let link: NodeID
        /// The id, with its prefix.
        let id: String
        /// Target URL if the content has no such id.
        let fallback: String?
    }

    /// Creates an element with the allowed attributes of `node`. Everything on it was added explicitly.
    ///
    /// Only a short list of attribute names is allowed, so the time is linear in the input, even with many attributes.
    mutating func makeClean(_ node: NodeID, _ tag: Tag) -> NodeID {
        let element = document.makeElement(tag)
        var attributes: [Attribute] = []
        var name: String?
        for position in 0..<document.attributeCount(node) {
            let written = document.attribute(node, at: position)
            if tag == .a && written.name == "name" { name = written.value }
            guard let value = cleaned(written, of: element, tag),
                !attributes.contains(where: { $0.name == written.name })
            else {
                continue
            }
            attributes.append(Attribute(name: written.name, value: value))
        }
        // The `name` attribute is the legacy form of an id.
        if let id = name.flatMap(SanitizerRules.id), !attributes.contains(where: { $0.name == "id" }) {
            attributes.append(Attribute(name: "id", value: id))
        }
        for attribute in attributes {
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
        switch SanitizerRules.url(in: attribute, on: tag) {
        case .link: link(attribute.value, of: element)
        case .picture: picture(attribute.value)
        case .media: media(attribute.value)
        case .sourceSet: sourceSet(attribute.value)
        case nil: SanitizerRules.value(of: attribute, on: tag)
        }
    }

    // MARK: Links

    private mutating func link(_ written: String, of element: NodeID) -> String? {
        guard written.utf8.count <= SanitizerRules.addressBytes else { return nil }
        let trimmed = WhiteSpace.trim(written)
        let address = WebAddress(trimmed, relativeTo: base)
        let target = trimmed.hasPrefix("#") ? String(trimmed.dropFirst()) : fragment(of: address)
        if let target, let resolved = fragmentLink(from: element, to: target) {
            fragmentLinks.append(resolved)
            return "#" + resolved.id
        }
        guard !trimmed.hasPrefix("#"), let address, SanitizerRules.linkSchemes.contains(address.scheme) else {
            return nil
        }
        return bounded(address.text)
    }

    /// Returns the fragment of a URL that points into this page.
    private func fragment(of address: WebAddress?) -> String? {
        guard let address, let fragment = address.fragmentText, address.withFragment(nil) == page else { return nil }
        return fragment
    }

    private func fragmentLink(from link: NodeID, to target: String) -> FragmentLink? {
        guard let id = SanitizerRules.id(target) else { return nil }
        // The page itself uses the id without the prefix.
        let name = id.dropFirst(SanitizerRules.idPrefix.count)
        let fallback = page.flatMap { $0.isHTTP ? bounded($0.withFragment(String(name)).text) : nil }
        return FragmentLink(link: link, id: id, fallback: fallback)
    }

    /// Points links within the page to the prefixed ids. Links to an id that is not in the content lead to the original
    /// page.
    mutating func resolveFragmentLinks() {
        for fragmentLink in fragmentLinks {
            if ids.contains(fragmentLink.id) { continue }
            // Browsers look up an id as written first, then percent-decoded.
            let decoded = SanitizerRules.id(PercentEncoding.decoded(fragmentLink.id))
            if let decoded, ids.contains(decoded) {
                document.set(fragmentLink.link, .href, to: "#" + decoded)
            } else if let fallback = fragmentLink.fallback {
                document.set(fragmentLink.link, .href, to: fallback)
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
        guard pictureBytes + data.utf8.count <= SanitizerRules.totalPictureBytes else { return nil }
        pictureBytes += data.utf8.count
        return data
    }

    private func sourceSet(_ written: String) -> String? {
        guard written.utf8.count <= SanitizerRules.sourceSetBytes else { return nil }
        let candidates = SourceSet.candidates(of: written).compactMap { candidate -> String? in
            // A comma at the end of a URL would be parsed as the end of the candidate.
            guard let address = media(candidate.address), !address.hasSuffix(",") else { return nil }
            return candidate.size.isEmpty ? address : address + " " + candidate.size
        }.joined(separator: ", ")
        return candidates.isEmpty || candidates.utf8.count > SanitizerRules.sourceSetBytes ? nil : candidates
    }
}
