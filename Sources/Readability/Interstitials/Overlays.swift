import HTML

/// Removes boxes that cover a page to ask for consent or to offer a newsletter. They are never part of an article. A
/// box that holds most of the page's text stays, because it is the page's content. Notices for outdated browsers are
/// removed even then.
enum Overlays {
    struct Found: Equatable {
        /// Whether a box that asks for consent holds most of the page's text.
        var consentIsBulk = false
    }

    private struct Box {
        let node: NodeID
        /// Whether its class or id names an overlay. A box without such a name also needs an overlay's text.
        let isNamed: Bool
        /// Whether its class or id names a notice for outdated browsers.
        var isBrowserNotice = false
        var letters = 0
        var words: [UInt8] = []
        var holdsArticle = false
    }

    /// The number of nested boxes to examine.
    private static let maxNested = 6
    private static let maxBoxes = 64
    private static let maxBoxBytes = 2_000
    /// In letters. A longer box is not removed.
    private static let maxLetters = 20_000
    /// In letters. A longer box is not a notice for outdated browsers.
    private static let maxNoticeLetters = 1_500
    private static let roots: TagSet = [.html, .body, .main, .article, .head]
    private static let invisible: TagSet = [.script, .style, .noscript, .template]
    private static let contentTags: TagSet = [.main, .article]
    private static let fixedWord = WordPattern("fixed")
    /// The number of levels above a box at which hidden content is searched.
    private static let maxLevels = 4
    /// The number of siblings to examine on each level.
    private static let maxSiblings = 1_000

    /// Removes the overlays in one walk and returns what it found.
    static func strip(_ document: inout Document) -> Found {
        guard let body = document.body else { return Found() }
        let (boxes, letters) = boxes(below: body, in: document)
        var found = Found()
        var removed: [NodeID] = []
        var revealed: Set<NodeID> = []
        for box in boxes where !box.holdsArticle && box.letters <= maxLetters {
            if box.isBrowserNotice {
                if box.letters <= maxNoticeLetters { removed.append(box.node) }
                continue
            }
            let words = PhraseList.normalized(box.words)
            let asksConsent = InterstitialPatterns.consentPhrases.isIn(words)
            guard
                asksConsent || box.isNamed || InterstitialPatterns.cookieWords.isIn(words)
                    || InterstitialPatterns.newsletterPhrases.isIn(words)
            else { continue }
            revealed.formUnion(hiddenElements(by: box.node, in: document))
            if box.letters * 2 >= letters, letters > 0 {
                found.consentIsBulk = found.consentIsBulk || asksConsent
            } else {
                removed.append(box.node)
            }
        }
        for node in revealed { document.remove(node, .ariaHidden) }
        for node in removed { document.detach(node) }
        return found
    }

    /// Returns the elements that an open box hides from screen readers with `aria-hidden`: its siblings and those of
    /// its ancestors. Rules that skip hidden content would skip them, too.
    private static func hiddenElements(by box: NodeID, in document: Document) -> [NodeID] {
        var found: [NodeID] = []
        for parent in document.ancestors(box, limit: maxLevels) {
            var next = document.firstChild(parent)
            var remaining = maxSiblings
            while let child = next, remaining > 0 {
                if document.attribute(child, .ariaHidden, is: "true") { found.append(child) }
                next = document.nextSibling(child)
                remaining -= 1
            }
        }
        return found
    }

    private static func boxes(below body: NodeID, in document: Document) -> (boxes: [Box], letters: Int) {
        var ended: [Box] = []
        var open: [Box] = []
        var letters = 0
        var current = document.firstChild(body)
        while let node = current {
            if document.isText(node) {
                _ = document.text(node) { text in
                    var count = 0
                    for byte in text where byte > 0x20 && byte & 0xC0 != 0x80 { count += 1 }
                    letters += count
                    for place in open.indices {
                        open[place].letters += count
                        let room = maxBoxBytes - open[place].words.count
                        if room > 0 { open[place].words.append(contentsOf: text.prefix(room)) }
                    }
                    return true
                }
            } else if contentTags.contains(document.tag(node)) {
                for place in open.indices { open[place].holdsArticle = true }
            }
            if document.isElement(node), !invisible.contains(document.tag(node)) {
                if open.count < maxNested, ended.count + open.count < maxBoxes {
                    if let isNamed = isBox(node, in: document) {
                        let isNotice = isNamed && isBrowserNotice(node, in: document)
                        open.append(Box(node: node, isNamed: isNamed, isBrowserNotice: isNotice))
                    }
                }
                if let child = document.firstChild(node) {
                    current = child
                    continue
                }
            }
            current = nil
            var here = node
            while here != body {
                if let box = open.last, box.node == here { ended.append(open.removeLast()) }
                if let sibling = document.nextSibling(here) {
                    current = sibling
                    break
                }
                guard let parent = document.parent(here) else { break }
                here = parent
            }
        }
        return (ended + open, letters)
    }

    private static func isBrowserNotice(_ node: NodeID, in document: Document) -> Bool {
        let isNotice = { (text: UnsafeBufferPointer<UInt8>) in InterstitialPatterns.browserNotices.matches(text) }
        return document.attribute(node, .class, satisfies: isNotice)
            || document.attribute(node, .id, satisfies: isNotice)
    }

    /// - Returns: nil if the node is no box; otherwise whether its class or id names an overlay.
    private static func isBox(_ node: NodeID, in document: Document) -> Bool? {
        guard document.attributeCount(node) > 0 || document.tag(node) == .dialog,
            !roots.contains(document.tag(node))
        else { return nil }
        if document.attribute(node, .class, satisfies: { InterstitialPatterns.overlayBoxes.matches($0) })
            || document.attribute(node, .id, satisfies: { InterstitialPatterns.overlayBoxes.matches($0) })
        {
            return true
        }
        if document.tag(node) == .dialog || document.attribute(node, .ariaModal, is: "true")
            || document.attribute(node, .role, is: "dialog") || document.attribute(node, .role, is: "alertdialog")
        {
            return false
        }
        guard document.attribute(node, .style, satisfies: { fixedWord.matches($0) }),
            let style = document.attribute(node, .style)
        else { return nil }
        return style.lowercased().filter { !$0.isWhitespace }.contains("position:fixed") ? false : nil
    }
}
