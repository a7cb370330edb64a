import HTML

/// Moves the chosen element out of the page, together with the siblings that belong to the article.
enum SiblingJoin {
    /// Returns a new `div` that contains the article's parts.
    static func join(around choice: CandidateChoice, scoring: Scoring, in document: inout Document) -> NodeID {
        let content = document.makeElement(.div)
        let topScore = scoring.score(of: choice.node) ?? 0
        for sibling in document.childElements(choice.parent) {
            guard sibling == choice.node || belongs(sibling, to: choice.node, topScore, scoring, document) else {
                continue
            }
            if !Vocabulary.keptAsSibling.contains(document.tag(sibling)) { document.rename(sibling, to: .div) }
            document.append(sibling, to: content)
        }
        return content
    }

    private static func belongs(
        _ sibling: NodeID, to top: NodeID, _ topScore: Double, _ scoring: Scoring, _ document: Document
    ) -> Bool {
        if let score = scoring.score(of: sibling) {
            let bonus = haveSameClass(sibling, top, in: document) ? topScore * 0.2 : 0
            if score + bonus >= max(10, topScore * 0.2) { return true }
        }
        guard document.tag(sibling) == .p else { return false }
        let length = document.measure(sibling).length
        let density = document.linkDensity(sibling)
        if length > 80 { return density < 0.25 }
        return length > 0 && length < 80 && density == 0 && endsSentence(document.innerText(sibling))
    }

    private static func haveSameClass(_ one: NodeID, _ other: NodeID, in document: Document) -> Bool {
        guard let name = document.attribute(other, .class).nonEmpty else { return false }
        return document.attribute(one, .class) == name
    }

    /// Returns whether the text has a full stop before a space or at its end.
    private static func endsSentence(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.indices.contains {
            bytes[$0] == UInt8(ascii: ".") && ($0 + 1 == bytes.count || bytes[$0 + 1] == 0x20)
        }
    }
}
