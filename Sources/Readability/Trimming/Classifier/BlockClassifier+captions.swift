// Captions of pictures.
extension BlockClassifier {
    /// A longer text, in words, is not a caption.
    private static let maxCaptionWords = 90

    mutating func findCaptions() {
        for (row, block) in list.blocks.enumerated() where verdicts[row] == .keep && block.words <= Self.maxCaptionWords
        {
            guard block.kind == .text || block.kind == .heading || block.kind == .item, !block.place.contains(.table),
                !block.place.contains(.code), !block.hints.contains(.contributor)
            else {
                continue
            }
            if isCaption(row, block) { verdicts[row] = .caption }
        }
    }

    private func isCaption(_ row: Int, _ block: ArticleBlock) -> Bool {
        let isNear = isBesidePicture(row, within: 2)
        if hints(around: row, levels: 2).contains(.caption), isNear || block.words <= 40 { return true }
        if block.kind == .heading { return false }
        if block.place.contains(.figure) && !block.place.contains(.quote) { return true }
        let text = list.text(row)
        if isNear || block.words <= 6, block.words <= 40, Boilerplate.credits.opens(text) { return true }
        guard isNear, block.words <= 40, block.kind == .text else { return false }
        if block.ending == .open || block.ending == .sentence && block.words <= 30, endsAsCredit(text) { return true }
        return isAloneWithPicture(row, block)
    }

    /// Returns whether a box contains pictures, this text under them, and nothing else.
    private func isAloneWithPicture(_ row: Int, _ block: ArticleBlock) -> Bool {
        if block.pictures > 0, block.hasPictureAfterText { return false }
        if block.pictures > 0, block.words <= 25,
            block.ending != .sentence || block.innerSentences == 0 && block.words <= 15
        {
            return true
        }
        var box = block.box
        // Climb to the innermost box that contains more than this block.
        while box > 0, list.boxes[box].blocks.count == 1 { box = list.boxes[box].parent }
        guard box > 0, list.boxes[box].blocks.count <= 3 else { return false }
        // A heading makes the box an item: a place, a dish, a step.
        if list.boxes[box].blocks.contains(where: { list.blocks[$0].kind == .heading }) { return false }
        let pictures = list.pictures(list.boxes[box].blocks)
        return pictures > 0 && pictures == list.pictures(list.boxes[box].blocks.lowerBound..<row + 1)
            && list.words(list.boxes[box].blocks) <= 40
    }

    private func endsAsCredit(_ text: ArraySlice<UInt8>) -> Bool {
        Boilerplate.creditParts.occurs(in: text.suffix(60))
    }

    /// Returns whether the block contains a picture, a picture is at most `distance` blocks before it with no running
    /// text between, or a picture follows the block and its hints name a caption.
    private func isBesidePicture(_ row: Int, within distance: Int) -> Bool {
        if list.blocks[row].pictures > 0 { return true }
        for step in 1...distance {
            if row - step >= 0, list.blocks[row - step].pictures > 0 { return true }
            if row - step >= 0, prose[row - step] { break }
        }
        return row + 1 < list.blocks.count && list.blocks[row + 1].kind == .picture
            && list.blocks[row].hints.contains(.caption)
    }

    /// Returns the hints of a block and of the surrounding boxes with few blocks.
    func hints(around row: Int, levels: Int) -> BlockHints {
        var hints = list.blocks[row].hints
        var box = list.boxes[list.blocks[row].box].parent
        var level = 1
        while level < levels, box > 0, list.boxes[box].blocks.count <= 3 {
            hints.formUnion(list.boxes[box].hints)
            box = list.boxes[box].parent
            level += 1
        }
        return hints
    }
}
