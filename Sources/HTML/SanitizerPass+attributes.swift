import Links

extension SanitizerPass {
    /// A link whose place within the page is still to be looked for.
    struct Jump {
        let link: NodeID
        /// The id, with its prefix.
        let id: String
        /// Where the link leads when nothing here bears the id.
        let elsewhere: String?
    }

    /// A new element with those attributes of `node` that it may have: nothing is on it that was not put there.
    ///
    /// What may stay is a short list of names, so this is linear in what was written, however many attributes that are.
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
        // The old way to name a place.
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

    /// The value that may stay, or nil.
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

    /// The place an address names, when it is one of this page.
    private func fragment(of address: WebAddress?) -> String? {
        guard let address, let fragment = address.fragmentText, address.withFragment(nil) == page else { return nil }
        return fragment
    }

    private func jump(from link: NodeID, to target: String) -> Jump? {
        guard let id = SanitizerRules.id(target) else { return nil }
        // As the page itself calls it.
        let name = id.dropFirst(SanitizerRules.idPrefix.count)
        let elsewhere = page.flatMap { $0.isHTTP ? bounded($0.withFragment(String(name)).text) : nil }
        return Jump(link: link, id: id, elsewhere: elsewhere)
    }

    /// Links within the page follow the ids to their new names; those whose place is not in the article lead to it on the
    /// page itself.
    mutating func settleJumps() {
        for jump in jumps {
            if ids.contains(jump.id) { continue }
            // Browsers look for a place by its name as written first, then decoded.
            let decoded = SanitizerRules.id(PercentEncoding.decoded(jump.id))
            if let decoded, ids.contains(decoded) {
                document.set(jump.link, .href, to: "#" + decoded)
            } else if let elsewhere = jump.elsewhere {
                document.set(jump.link, .href, to: elsewhere)
            }
        }
    }

    // MARK: Pictures and sounds

    /// An address of the web, absolute.
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
            // A comma at its end would be read as the end of the candidate.
            guard let address = media(candidate.address), !address.hasSuffix(",") else { return nil }
            return candidate.size.isEmpty ? address : address + " " + candidate.size
        }.joined(separator: ", ")
        return kept.isEmpty || kept.utf8.count > SanitizerRules.sourceSetBytes ? nil : kept
    }
}
