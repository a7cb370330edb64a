import HTML

/// Turns every formula into one MathML element. Pages often contain a formula several times: as MathML for screen
/// readers, as styled elements for display, and as TeX for a script.
enum Formulas {
    /// Class names of the elements that formula scripts put around all versions of a formula, and of those that display
    /// it on a line of its own.
    private static let wrapperNames: Set<String> = [
        "katex", "katex-display", "katex-block", "katex-mathml", "mathjax", "mathjax_display", "mathjax_chtml",
        "mathjax_svg", "mathjax_svg_display", "mjx_assistive_mathml", "mjx-chtml", "mjx-full-width", "mwe-math-element",
        "mwe-math-element-inline", "mwe-math-element-block", "mwe-math-mathml-inline", "mwe-math-mathml-display",
        "mwe-math-mathml-a11y", "mjpage", "mjpage__block", "math-tex",
    ]
    private static let displayNames: Set<String> = [
        "katex-display", "katex-block", "mathjax_display", "mathjax_svg_display", "mjx-full-width",
        "mwe-math-mathml-display", "mjpage__block", "mwe-math-element-block",
    ]
    /// The number of ancestors of a formula to examine.
    private static let maxAncestors = 8
    /// In bytes. Longer TeX is dropped.
    private static let maxTeXBytes = 4_096

    static func normalize(_ elements: RichElements, in document: inout Document, placeholders: inout Placeholders) {
        for formula in elements.formulas where document.parent(formula) != nil {
            normalize(formula, in: &document, &placeholders)
        }
        for script in elements.scripts where document.parent(script) != nil {
            normalizeScript(script, in: &document, &placeholders)
        }
    }

    private static func normalize(_ formula: NodeID, in document: inout Document, _ placeholders: inout Placeholders) {
        var wrapper = formula
        var isDisplay =
            document.attribute(formula, named: "display")?.lowercased() == "block"
            || document.attribute(formula, named: "mode") == "display"
        var tex = tex(in: formula, of: document)
        for ancestor in document.ancestors(formula, limit: maxAncestors) {
            let name = document.name(of: ancestor)
            let words = ClassWords(of: ancestor, in: document)
            guard name.hasPrefix("mjx-") || words.hasName(of: wrapperNames) || document.tag(ancestor) == .nobr else {
                continue
            }
            // The body of a page may have the script's class name; a wrapper contains exactly one formula.
            guard document.count([.math], below: ancestor) == 1, document.tag(ancestor) != .body else { break }
            wrapper = ancestor
            isDisplay =
                isDisplay || words.hasName(of: displayNames) || document.attribute(ancestor, named: "display") == "true"
            tex =
                tex
                ?? ["data-latex", "data-tex", "data-formula"].compactMap {
                    document.attribute(ancestor, named: $0).nonEmpty
                }.first
        }
        // MathJax 2 leaves the source script after its output.
        if let script = document.nextElement(wrapper), let written = texScript(script, in: document) {
            tex = tex ?? written.tex
            isDisplay = isDisplay || written.isDisplay
            document.detach(script)
        }
        if let before = document.previousElement(wrapper),
            ClassWords(of: before, in: document).hasName(of: ["mathjax_preview"])
        {
            document.detach(before)
        }
        removeAnnotations(formula, in: &document)
        let written = tex.map(trimmed).flatMap { $0.isEmpty || $0.utf8.count > maxTeXBytes ? nil : $0 }
        document.remove(formula, named: "alttext")
        if let written { document.set(formula, named: "alttext", to: written) }
        document.remove(formula, named: "display")
        if isDisplay { document.set(formula, named: "display", to: "block") }
        let text = document.innerText(formula)
        let placeholder = placeholders.text(text.isEmpty ? written ?? "" : text, for: formula, in: &document)
        document.insert(placeholder, before: wrapper)
        document.detach(wrapper)
        document.detach(formula)
    }

    /// Converts a formula that exists only as TeX in a script.
    private static func normalizeScript(
        _ script: NodeID, in document: inout Document, _ placeholders: inout Placeholders
    ) {
        guard let written = texScript(script, in: document), !written.tex.isEmpty, written.tex.utf8.count <= maxTeXBytes
        else { return }
        let formula = document.makeFormula(written.tex, isDisplay: written.isDisplay)
        let placeholder = placeholders.text(written.tex, for: formula, in: &document)
        if let before = document.previousElement(script),
            ClassWords(of: before, in: document).hasName(of: ["mathjax_preview"])
        {
            document.detach(before)
        }
        document.replace(script, with: placeholder)
    }

    private static func texScript(_ script: NodeID, in document: Document) -> (tex: String, isDisplay: Bool)? {
        guard document.tag(script) == .script, let type = document.attribute(script, .type)?.lowercased(),
            type.hasPrefix("math/tex")
        else { return nil }
        return (trimmed(document.textContent(script)), type.contains("display"))
    }

    /// Returns the TeX stored inside a MathML element.
    private static func tex(in formula: NodeID, of document: Document) -> String? {
        let annotation = document.elements(below: formula) { document.name(of: $0) == "annotation" }.first {
            (document.attribute($0, named: "encoding") ?? "").lowercased().contains("tex")
        }
        if let annotation { return document.textContent(annotation) }
        return document.attribute(formula, named: "alttext")
    }

    /// Removes the `{\displaystyle …}` that one converter puts around every formula.
    private static func trimmed(_ tex: String) -> String {
        let text = WhiteSpace.trim(tex)
        guard text.hasPrefix("{\\displaystyle"), text.hasSuffix("}") else { return text }
        return WhiteSpace.trim(String(text.dropFirst("{\\displaystyle".count).dropLast()))
    }

    private static func removeAnnotations(_ formula: NodeID, in document: inout Document) {
        for node in document.elements(
            below: formula, where: { ["annotation", "annotation-xml"].contains(document.name(of: $0)) })
        {
            document.detach(node)
        }
    }
}
