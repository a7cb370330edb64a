extension TreeBuilder {
    /// Prepares the builder for the content of an element instead of a whole page.
    mutating func beginFragment(_ fragment: NodeID, in element: NodeID) {
        let isForeign = document.isForeign(element)
        let tag = document.tag(element)
        let traits =
            isForeign
            ? ElementTraits.foreign(document.localTag(element), isSVG: document.isSVG(element)) : .html(tag)
        context = OpenElement(node: element, tag: tag, name: document.names[element.row], traits: traits)
        // Takes the place of the standard's root `html` element.
        push(OpenElement(node: fragment, tag: .html, name: Tag.html.rawValue, traits: .html(.html)))
        switch tag {
        case .title, .textarea: tokenizer.content = .rcdata
        case .style, .xmp, .iframe, .noembed, .noframes: tokenizer.content = .rawText
        case .script: tokenizer.content = .script
        case .plaintext: tokenizer.content = .plaintext
        default: break
        }
        if tag == .template { templateModes.append(.inTemplate) }
        if tag == .form { form = element }
        resetMode()
        tokenizer.allowsCDATA = isForeign
    }
}
