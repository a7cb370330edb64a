import HTML

/// Boxes over a page that ask for consent or offer a newsletter. They are no part of any article; but where one of them is
/// most of the page, it is what the page says, and stays.
enum Overlays {
    struct Found: Equatable {
        /// A box that asks for consent holds most of the page's text.
        var consentIsBulk = false
    }

    private struct Box {
        let node: NodeID
        /// By its class; another box is one only if it also talks so.
        let isNamed: Bool
        var letters = 0
        var words: [UInt8] = []
        var holdsArticle = false
    }

    /// Boxes within each other that are looked at.
    private static let mostOpen = 6
    private static let most = 64
    private static let mostBytes = 2_000
    /// Letters of the longest box that goes.
    private static let longest = 20_000
    private static let roots: TagSet = [.html, .body, .main, .article, .head]
    private static let unseen: TagSet = [.script, .style, .noscript, .template]
    private static let contents: TagSet = [.main, .article]
    private static let fixedWord = WordPattern("fixed")
    /// Levels above a box in which the page that it shuts off lies.
    private static let levels = 4
    /// Parts of a page beside a box.
    private static let mostBeside = 1_000

    /// Takes them out, and tells what it found. One walk.
    static func strip(_ document: inout Document) -> Found {
        guard let body = document.body else { return Found() }
        let (boxes, letters) = boxes(below: body, in: document)
        var found = Found()
        var gone: [NodeID] = []
        var shown: Set<NodeID> = []
        for box in boxes where !box.holdsArticle && box.letters <= longest {
            let words = PhraseList.normalized(box.words)
            let asksConsent = InterstitialPatterns.consentPhrases.isIn(words)
            guard asksConsent || box.isNamed || InterstitialPatterns.cookieWords.isIn(words) || InterstitialPatterns.letterPhrases.isIn(words)
            else { continue }
            shown.formUnion(shutOff(by: box.node, in: document))
            if box.letters * 2 >= letters, letters > 0 {
                found.consentIsBulk = found.consentIsBulk || asksConsent
            } else {
                gone.append(box.node)
            }
        }
        for node in shown { document.remove(node, .ariaHidden) }
        for node in gone { document.detach(node) }
        return found
    }

    /// What an open box keeps screen readers from, the rest of the page, and with them rules that go by what is shown: what
    /// is beside it, or beside what it lies in.
    private static func shutOff(by box: NodeID, in document: Document) -> [NodeID] {
        var found: [NodeID] = []
        for parent in document.ancestors(box, limit: levels) {
            var next = document.firstChild(parent)
            var left = mostBeside
            while let child = next, left > 0 {
                if document.attribute(child, .ariaHidden, is: "true") { found.append(child) }
                next = document.nextSibling(child)
                left -= 1
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
                document.withText(node) { text in
                    let count = text.reduce(0) { $1 > 0x20 && $1 & 0xC0 != 0x80 ? $0 + 1 : $0 }
                    letters += count
                    for place in open.indices {
                        open[place].letters += count
                        let room = mostBytes - open[place].words.count
                        if room > 0 { open[place].words.append(contentsOf: text.prefix(room)) }
                    }
                }
            } else if contents.contains(document.tag(node)) {
                for place in open.indices { open[place].holdsArticle = true }
            }
            if document.isElement(node), !unseen.contains(document.tag(node)) {
                if open.count < mostOpen, ended.count + open.count < most, let isNamed = isBox(node, in: document) {
                    open.append(Box(node: node, isNamed: isNamed))
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

    /// - Returns: nil for what is no box, else whether its name says what it is.
    private static func isBox(_ node: NodeID, in document: Document) -> Bool? {
        guard !roots.contains(document.tag(node)) else { return nil }
        if document.withBytes(node, .class, { InterstitialPatterns.overlayBoxes.matches($0) })
            || document.withBytes(node, .id, { InterstitialPatterns.overlayBoxes.matches($0) })
        {
            return true
        }
        if document.tag(node) == .dialog || document.attribute(node, .ariaModal, is: "true")
            || document.attribute(node, .role, is: "dialog") || document.attribute(node, .role, is: "alertdialog")
        {
            return false
        }
        guard document.withBytes(node, .style, { fixedWord.matches($0) }), let style = document.attribute(node, .style) else { return nil }
        return style.lowercased().filter { !$0.isWhitespace }.contains("position:fixed") ? false : nil
    }
}
