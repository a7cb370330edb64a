import HTML

/// Removes what does not belong to the article from a found article. All trimming of mode best happens here.
struct Trimming {
    let rules: TrimmingRules
    let page: PageWords
    /// Boxes that were replaced by the only paragraph they contained, by that paragraph.
    let replaced: [NodeID: NodeID]

    /// At least this share of the text must remain. Otherwise the rules have misread the article, and all of it stays.
    private static let minKeptShare = 0.5

    func trim(_ content: NodeID, in document: inout Document) {
        guard !rules.isEmpty else { return }
        let list = BlockList(content, in: document, replaced: replaced)
        guard !list.blocks.isEmpty else { return }
        var classifier = BlockClassifier.decide(list, rules: rules, page: page)
        if !keepsEnough(classifier) {
            classifier = BlockClassifier.decide(list, rules: rules.intersection(.captions), page: page)
            if !keepsEnough(classifier) { return }
        }
        BlockRemoval(list: list, classifier: classifier).run(below: content, in: &document)
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
