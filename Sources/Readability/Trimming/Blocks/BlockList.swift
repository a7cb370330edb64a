import HTML

/// The blocks of a found article in document order, and their boxes. Made in one walk.
struct BlockList {
    private(set) var blocks: [ArticleBlock] = []
    private(set) var boxes: [ArticleBox] = []
    private(set) var texts: [NodeID] = []
    private(set) var bytes: [UInt8] = []

    /// Running sums over the blocks before each row, so that a range of rows takes one subtraction.
    private var unitsBefore: [Int32] = [0]
    private var linkedBefore: [Int32] = [0]
    private var picturesBefore: [Int32] = [0]

    /// - Parameter replaced: boxes that were replaced by the only paragraph they contained, by that paragraph. Their
    ///   class names count as the paragraph's.
    init(_ content: NodeID, in document: Document, replaced: [NodeID: NodeID] = [:]) {
        var walk = BlockWalk(content, replaced)
        walk.run(over: document)
        blocks = walk.blocks
        boxes = walk.boxes
        texts = walk.texts
        bytes = walk.bytes
        unitsBefore.reserveCapacity(blocks.count + 1)
        var units: Int32 = 0
        var linked: Int32 = 0
        var pictures: Int32 = 0
        for block in blocks {
            units += Int32(truncatingIfNeeded: block.length.units)
            linked += Int32(truncatingIfNeeded: block.linked.units)
            pictures += Int32(truncatingIfNeeded: block.pictures)
            unitsBefore.append(units)
            linkedBefore.append(linked)
            picturesBefore.append(pictures)
        }
    }

    func units(_ rows: Range<Int>) -> Int { Int(unitsBefore[rows.upperBound] - unitsBefore[rows.lowerBound]) }
    func words(_ rows: Range<Int>) -> Int { units(rows) / 4 }
    func pictures(_ rows: Range<Int>) -> Int { Int(picturesBefore[rows.upperBound] - picturesBefore[rows.lowerBound]) }

    func linkShare(_ rows: Range<Int>) -> Double {
        let units = units(rows)
        let linked = linkedBefore[rows.upperBound] - linkedBefore[rows.lowerBound]
        return units == 0 ? 0 : Double(linked) / Double(units)
    }

    /// Returns the start of a block's text in lowercase.
    func text(_ block: Int) -> ArraySlice<UInt8> { bytes[blocks[block].text] }
}
