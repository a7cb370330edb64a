import HTML

/// A block element of a found article, with the blocks inside it.
struct ArticleBox {
    let node: NodeID
    let tag: Tag
    /// Hints of the element itself.
    let hints: BlockHints
    /// Row of the box around it; −1 for the outermost.
    let parent: Int
    /// Rows of ``BlockList/blocks``.
    var blocks: Range<Int>
}
