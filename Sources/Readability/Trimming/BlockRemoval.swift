import HTML

/// Applies the decisions of ``BlockClassifier``: removes blocks and the elements that become empty, and makes captions.
struct BlockRemoval {
    let list: BlockList
    let classifier: BlockClassifier

    func run(below content: NodeID, in document: inout Document) {
        for row in classifier.removedBoxes { document.detach(list.boxes[row].node) }
        var emptied: [NodeID] = []
        for (row, block) in list.blocks.enumerated() {
            switch classifier.verdicts[row] {
            case .keep: break
            case .remove:
                for text in list.texts[block.texts] {
                    if let parent = document.parent(text) { emptied.append(parent) }
                    document.detach(text)
                }
            case .caption: makeCaption(row, block, in: &document)
            }
        }
        removeEmptied(emptied, below: content, in: &document)
    }

    /// Removes elements that lost their text, innermost first, unless they still contain something visible.
    private func removeEmptied(_ emptied: [NodeID], below content: NodeID, in document: inout Document) {
        for start in emptied {
            var node = start
            while node != content, let parent = document.parent(node), isEmpty(node, in: document) {
                document.detach(node)
                node = parent
            }
        }
    }

    /// Checks the children only, because empty descendants were removed before. Stops at the first that is not empty.
    private func isEmpty(_ node: NodeID, in document: Document) -> Bool {
        document.allChildren(node) { child in
            document.isText(child) ? document.isBlank(child) : document.tag(child) == .br || document.tag(child) == .hr
        }
    }

    // MARK: Captions

    private func makeCaption(_ row: Int, _ block: ArticleBlock, in document: inout Document) {
        let box = list.boxes[block.box]
        guard let first = list.texts[block.texts].first, document.parent(first) != nil else { return }
        if box.blocks.count == 1, block.pictures == 0 {
            if box.tag != .figcaption { document.rename(box.node, to: .figcaption) }
            return
        }
        wrap(block, in: box.node, in: &document)
    }

    /// Moves the texts of a block that has other content beside it into a new caption. Each text takes along the
    /// elements that contain nothing else.
    private func wrap(_ block: ArticleBlock, in holder: NodeID, in document: inout Document) {
        let caption = document.makeElement(.figcaption)
        var isPlaced = false
        for text in list.texts[block.texts] {
            var top = text
            while let parent = document.parent(top), parent != holder, document.firstChild(parent) == top,
                document.lastChild(parent) == top
            {
                top = parent
            }
            guard document.parent(top) != nil else { continue }
            if !isPlaced { document.insert(caption, before: top) }
            isPlaced = true
            document.append(top, to: caption)
        }
        // A `p` cannot contain a `figcaption`: an HTML parser would end the `p` before it.
        if document.tag(holder) == .p { document.rename(holder, to: .figure) }
    }
}
