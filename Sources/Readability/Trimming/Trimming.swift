import HTML

/// Removes what does not belong to the article from a found article. All trimming of mode best happens here.
struct Trimming {
    let rules: TrimmingRules
    let page: PageWords
    /// Boxes that were replaced by the only paragraph they contained, by that paragraph.
    let replaced: [NodeID: NodeID]
    var trace: ExtractionTrace?
    /// The attempt of the search that found the article.
    var attempt: Int?

    /// At least this share of the text must remain. Otherwise the rules have misread the article, and all of it stays.
    private static let minKeptShare = 0.5

    /// Returns the hashes of the blocks before the trimming.
    @discardableResult
    func trim(_ content: NodeID, in document: inout Document) -> Set<UInt64> {
        let list = BlockList(content, in: document, replaced: replaced)
        let hashes = Set(list.blocks.map(\.hash))
        guard !rules.isEmpty, !list.blocks.isEmpty else { return hashes }
        var classifier = BlockClassifier.decide(list, rules: rules, page: page)
        if !keepsEnough(classifier) {
            // In a forum, boxes with the names of comments are the text.
            classifier = BlockClassifier.decide(list, rules: rules.subtracting([.boxes, .sections]), page: page)
            if !keepsEnough(classifier) {
                classifier = BlockClassifier.decide(list, rules: rules.intersection(.captions), page: page)
                if !keepsEnough(classifier) { return hashes }
            }
        }
        if let trace { record(classifier, of: document, in: trace) }
        BlockRemoval(list: list, classifier: classifier).run(below: content, in: &document)
        return hashes
    }

    private func record(_ classifier: BlockClassifier, of document: Document, in trace: ExtractionTrace) {
        for (row, block) in classifier.list.blocks.enumerated() where classifier.verdicts[row] == .remove {
            let rule = TrimmingRules.named.first { $0.rule == classifier.reasons[row] }?.name ?? "trimming"
            for text in classifier.list.texts[block.texts] { trace.remove(text, rule, from: document, in: attempt) }
        }
    }

    private func keepsEnough(_ classifier: BlockClassifier) -> Bool {
        var all = 0
        var kept = 0
        for (row, block) in classifier.list.blocks.enumerated() where block.kind != .caption {
            all += block.length.units
            if classifier.verdicts[row] == .keep { kept += block.length.units }
        }
        return Double(kept) >= Double(all) * Trimming.minKeptShare && kept > 0
    }
}
