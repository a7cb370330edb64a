import HTML

/// The walk that makes a ``BlockList``.
struct BlockWalk {
    let content: NodeID
    let replaced: [NodeID: NodeID]
    var blocks: [ArticleBlock] = []
    var boxes: [ArticleBox] = []
    var texts: [NodeID] = []
    var bytes: [UInt8] = []

    /// An element that needs work when the walk leaves it.
    private struct OpenElement {
        let node: NodeID
        /// Row of the enclosing box, or −1 for an inline element.
        var box = -1
        var place: ArticleBlock.Place = []
        var hints: BlockHints = []
        var isLink = false
        var isNote = false
    }

    private var open: [OpenElement] = []
    private var place: ArticleBlock.Place = []
    private var box = 0
    private var links = 0
    private var notes = 0
    /// Number of inline elements with hints around the current node.
    private var hinted = 0

    private var scan = TextScan()
    private var linked = TextLength()
    private var hintedLength = TextLength()
    private var hints: BlockHints = []
    private var firstText = 0
    private var pictures = 0
    private var hasOnlyLinkedPictures = true
    private var hasPictureAfterText = false

    init(_ content: NodeID, _ replaced: [NodeID: NodeID]) {
        self.content = content
        self.replaced = replaced
    }

    private static let boxTags: TagSet = [
        .address, .article, .aside, .blockquote, .body, .button, .caption, .center, .dd, .details, .dialog, .dir, .div,
        .dl, .dt,
        .fieldset, .figcaption, .figure, .footer, .form, .h1, .h2, .h3, .h4, .h5, .h6, .header, .hgroup, .hr, .iframe,
        .legend,
        .li, .main, .menu, .nav, .object, .ol, .p, .pre, .section, .summary, .table, .tbody, .td, .tfoot, .th, .thead,
        .tr, .ul,
        .video, .audio,
    ]
    /// Elements whose text is not shown, or shown one line at a time.
    private static let unread: TagSet = [.select, .textarea, .datalist, .template, .style, .script]
    private static let pictureTags: TagSet = [.img, .video, .iframe, .object, .embed, .audio, .picture]

    /// - Parameter document: not a property, because each change of the walk would then copy it.
    mutating func run(over document: Document) {
        var current: NodeID? = content
        while let node = current {
            if let child = enter(node, document) {
                current = child
                continue
            }
            current = nil
            var ending = node
            while true {
                if open.last?.node == ending { leave() }
                if ending == content { break }
                if let sibling = document.nextSibling(ending) {
                    current = sibling
                    break
                }
                guard let parent = document.parent(ending) else { break }
                ending = parent
            }
        }
        closeBlock()
    }

    /// Returns the child to continue with, if any.
    private mutating func enter(_ node: NodeID, _ document: Document) -> NodeID? {
        if document.isText(node) {
            add(node, document)
            return nil
        }
        let tag = document.tag(node)
        if BlockWalk.unread.contains(tag) { return nil }
        if tag == .br || tag == .wbr {
            if tag == .br { scan.endWord() }
            return nil
        }
        if BlockWalk.boxTags.contains(tag) || node == content {
            closeBlock()
            var element = OpenElement(node: node, box: box, place: place)
            element.hints = BlockHints.of(node, in: document)
            if tag == .p, let box = replaced[node] { element.hints.formUnion(BlockHints.of(box, in: document)) }
            boxes.append(
                ArticleBox(
                    node: node, tag: tag, hints: element.hints, parent: open.isEmpty ? -1 : box,
                    blocks: blocks.count..<blocks.count))
            box = boxes.count - 1
            place.formUnion(BlockWalk.place(of: tag))
            open.append(element)
        } else if document.firstChild(node) != nil {
            let own = BlockHints.of(node, in: document)
            let isNote = tag == .sup
            if tag == .a || isNote || !own.isEmpty || tag == .code {
                let isLink = tag == .a && BlockWalk.leadsElsewhere(node, document)
                open.append(OpenElement(node: node, place: place, hints: own, isLink: isLink, isNote: isNote))
                if isLink { links += 1 }
                if isNote { notes += 1 }
                if !own.isEmpty { hinted += 1 }
            }
        }
        if BlockWalk.pictureTags.contains(tag) {
            pictures += 1
            if scan.hasText { hasPictureAfterText = true }
            if links == 0 { hasOnlyLinkedPictures = false }
        }
        return document.firstChild(node)
    }

    /// Links of footnotes and tables of contents lead to places within the page.
    private static func leadsElsewhere(_ link: NodeID, _ document: Document) -> Bool {
        document.attribute(link, .href) { !$0.isEmpty && $0[0] != UInt8(ascii: "#") }
    }

    private mutating func leave() {
        guard let element = open.popLast() else { return }
        if element.box >= 0 {
            closeBlock()
            boxes[box].blocks = boxes[box].blocks.lowerBound..<blocks.count
            box = element.box
            place = element.place
            return
        }
        if element.isLink { links -= 1 }
        if element.isNote { notes -= 1 }
        if !element.hints.isEmpty {
            hinted -= 1
            if hinted == 0, scan.hasText { hints.formUnion(element.hints) }
        }
    }

    private static func place(of tag: Tag) -> ArticleBlock.Place {
        switch tag {
        case .blockquote: .quote
        case .ul, .ol, .dl: .list
        case .table: .table
        case .figure: .figure
        case .pre: .code
        case .figcaption: .caption
        default: []
        }
    }

    private mutating func add(_ node: NodeID, _ document: Document) {
        let before = scan.length
        let hadText = scan.hasText
        let isVisible = document.text(node) { text in
            let count = scan.hash.count
            scan.add(text, isNote: notes > 0)
            return scan.hash.count > count
        }
        guard isVisible else { return }
        if !hadText { firstText = texts.count }
        texts.append(node)
        let more = scan.length.since(before)
        if links > 0 { linked.add(more) }
        if hinted > 0 { hintedLength.add(more) }
    }

    private mutating func closeBlock() {
        defer {
            scan.reset()
            linked = TextLength()
            hintedLength = TextLength()
            hints = []
            pictures = 0
            hasOnlyLinkedPictures = true
            hasPictureAfterText = false
        }
        guard scan.hasText || pictures > 0 else { return }
        let start = bytes.count
        bytes += scan.folded
        if !scan.hasText { firstText = texts.count }
        var block = ArticleBlock(box: box, texts: firstText..<texts.count, text: start..<bytes.count)
        block.place = place
        block.kind = scan.hasText ? kind(of: boxes[box].tag) : .picture
        block.hints = boxes[box].hints
        if hintedLength.units * 10 >= scan.length.units * 7 { block.hints.formUnion(hints) }
        block.hash = scan.hash.value
        block.length = scan.length
        block.linked = linked
        block.ending = scan.ending
        block.innerSentences = scan.innerSentences
        block.pictures = pictures
        block.hasPictureAfterText = hasPictureAfterText
        block.hasOnlyLinkedPictures = hasOnlyLinkedPictures
        blocks.append(block)
    }

    private func kind(of tag: Tag) -> ArticleBlock.Kind {
        if place.contains(.caption) { return .caption }
        if place.contains(.code) { return .code }
        switch tag {
        case .h1, .h2, .h3, .h4, .h5, .h6: return .heading
        case .td, .th, .caption: return .cell
        case .li, .dd, .dt: return .item
        default: return place.contains(.table) ? .cell : place.contains(.list) ? .item : .text
        }
    }
}
