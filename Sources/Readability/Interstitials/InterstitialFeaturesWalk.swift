import HTML

/// The walk that collects ``InterstitialFeatures``.
struct InterstitialFeaturesWalk {
    /// In letters. A page with a run of text this long is not an interstitial.
    private static let articleRun = 3_000
    private static let maxBlocks = 300
    /// In bytes. Only the beginning of a longer block is kept.
    private static let maxBlockBytes = 600
    /// In bytes. Only the beginning of a longer script is searched.
    private static let maxScriptBytes = 4_096
    private static let minProseLetters = 70
    private static let minHeadlineLetters = 14

    private static let invisible: TagSet = [
        .script, .style, .noscript, .template, .head, .textarea, .select, .iframe, .object,
    ]
    private static let aside: TagSet = [.nav, .header, .footer, .aside]
    private static let headings: TagSet = [.h1, .h2]

    private(set) var features = InterstitialFeatures()

    private let document: Document
    private var currentRun = 0
    private var asideDepth = 0
    private var linkDepth = 0
    private var headingDepth = 0
    private var buttonDepth = 0
    private var open = OpenBlock()

    private struct OpenBlock {
        var bytes: [UInt8] = []
        var letters = 0
        var linkLetters = 0
        var hasSentenceEnd = false

        mutating func add(_ text: UnsafeBufferPointer<UInt8>, isLink: Bool) {
            var count = 0
            for byte in text where byte > 0x20 && byte & 0xC0 != 0x80 { count += byte >= 0xE3 && byte < 0xF0 ? 3 : 1 }
            guard count > 0 || !bytes.isEmpty else { return }
            letters += count
            if isLink { linkLetters += count }
            hasSentenceEnd = hasSentenceEnd || InterstitialFeaturesWalk.endsSentence(text)
            if bytes.count < InterstitialFeaturesWalk.maxBlockBytes {
                bytes.append(contentsOf: text.prefix(InterstitialFeaturesWalk.maxBlockBytes - bytes.count))
            }
        }
    }

    init(_ document: Document) { self.document = document }

    mutating func run() {
        readHead()
        if let body = document.body { walk(body) }
        endBlock()
    }

    // MARK: - The head, and scripts wherever they are

    private mutating func readHead() {
        for node in document.elements([.title, .meta, .script, .noscript], below: document.root) {
            switch document.tag(node) {
            case .title where features.title.isEmpty:
                features.title = PhraseList.normalized(Array(document.text(of: node).prefix(Self.maxBlockBytes)))
            case .meta: readMeta(node)
            case .script: readScript(node)
            case .noscript where !features.asksForScripts:
                let text = PhraseList.normalized(beginning(of: node, maxBytes: Self.maxBlockBytes))
                features.asksForScripts = InterstitialPatterns.scriptPhrases.isIn(text)
            default: break
            }
        }
    }

    private mutating func readMeta(_ meta: NodeID) {
        let name = document.attribute(meta, .property) ?? document.attribute(meta, .name) ?? ""
        switch name.lowercased() {
        case "og:type":
            features.declaresArticle =
                features.declaresArticle || (document.attribute(meta, .content) ?? "").lowercased().hasPrefix("article")
        case "article:published_time": features.declaresArticle = true
        case "article:content_tier":
            features.isPaid =
                features.isPaid
                || ["locked", "metered"].contains((document.attribute(meta, .content) ?? "").lowercased())
        default: break
        }
    }

    private mutating func readScript(_ script: NodeID) {
        if document.attribute(script, .type, is: "application/ld+json") {
            let text = document.text(of: script)
            features.declaresArticle = features.declaresArticle || Self.articleTypes.matches(text)
            features.isPaid = features.isPaid || Self.paidMark.matches(text.filter { !WhiteSpace.isASCII($0) })
        } else {
            features.scripts += 1
            guard !features.hasChallengeMark else { return }
            features.hasChallengeMark =
                document.withBytes(script, .src) { InterstitialPatterns.challengeScripts.matches($0) }
                || InterstitialPatterns.challengeScripts.matches(beginning(of: script, maxBytes: Self.maxScriptBytes))
        }
    }

    /// Types of schema.org, with the quotation mark that ends them in JSON.
    private static let articleTypes = WordPattern("article\" blogposting\"")
    /// Source: https://developers.google.com/search/docs/appearance/structured-data/paywalled-content
    private static let paidMark = WordPattern("\"isaccessibleforfree\":false \"isaccessibleforfree\":\"false\"")

    private func beginning(of node: NodeID, maxBytes: Int) -> [UInt8] {
        var text: [UInt8] = []
        var current = document.firstChild(node)
        while let here = current, text.count < maxBytes {
            document.withText(here) { text.append(contentsOf: $0.prefix(maxBytes - text.count)) }
            current = document.next(after: here, within: node)
        }
        return text
    }

    // MARK: - The walk

    private mutating func walk(_ body: NodeID) {
        var current: NodeID? = document.firstChild(body)
        while let node = current, features.longestRun < Self.articleRun {
            if enter(node), let child = document.firstChild(node) {
                current = child
                continue
            }
            current = nil
            var here = node
            var isEntered = isEntered(node)
            while here != body {
                if isEntered { leave(here) }
                if let sibling = document.nextSibling(here) {
                    current = sibling
                    break
                }
                guard let parent = document.parent(here) else { return }
                here = parent
                isEntered = true
            }
        }
    }

    private func isEntered(_ node: NodeID) -> Bool { document.isElement(node) && !isInvisible(node) }

    private func isInvisible(_ node: NodeID) -> Bool {
        if Self.invisible.contains(document.tag(node)) || document.isForeign(node) || document.has(node, .hidden) {
            return true
        }
        // Parse only styles that contain one of these words; most styles hide nothing.
        guard document.withBytes(node, .style, { Self.hidingWords.matches($0) }),
            let style = document.attribute(node, .style)
        else { return false }
        let parsed = InlineStyle(style)
        return parsed.takesNoRoom || parsed.makesInvisible
    }

    private static let hidingWords = WordPattern("none hidden")

    /// - Returns: whether the node's children are walked.
    private mutating func enter(_ node: NodeID) -> Bool {
        guard document.isElement(node) else {
            if document.isText(node) { addText(of: node) }
            return false
        }
        let tag = document.tag(node)
        recordMarks(of: node)
        switch tag {
        case .iframe:
            features.hasCaptcha =
                features.hasCaptcha || document.withBytes(node, .src) { InterstitialPatterns.captchaMarks.matches($0) }
        case .img, .video, .audio: features.pictures += 1
        case .input: recordField(node)
        default: break
        }
        guard !isInvisible(node) else { return false }
        let isButton = isButton(node, tag)
        if TextRenderer.blocks.contains(tag) || isButton { endBlock() }
        if Self.aside.contains(tag) { asideDepth += 1 }
        if tag == .a { linkDepth += 1 }
        if Self.headings.contains(tag) { headingDepth += 1 }
        if isButton { buttonDepth += 1 }
        return true
    }

    private mutating func leave(_ node: NodeID) {
        let tag = document.tag(node)
        let isButton = isButton(node, tag)
        if TextRenderer.blocks.contains(tag) || isButton { endBlock() }
        if Self.aside.contains(tag) { asideDepth -= 1 }
        if tag == .a { linkDepth -= 1 }
        if Self.headings.contains(tag) { headingDepth -= 1 }
        if isButton { buttonDepth -= 1 }
    }

    private func isButton(_ node: NodeID, _ tag: Tag) -> Bool {
        tag == .button || document.attribute(node, .role, is: "button")
    }

    private mutating func recordMarks(of node: NodeID) {
        recordMarks(.class, of: node)
        recordMarks(.id, of: node)
        if let id = document.attribute(node, .id), InterstitialPatterns.scriptRoots.contains(id) {
            features.hasScriptRoot = true
        }
        if document.attribute(node, .itemprop, is: "articleBody") { features.declaresArticle = true }
    }

    private mutating func recordMarks(_ name: AttributeName, of node: NodeID) {
        func has(_ marks: WordPattern) -> Bool { document.withBytes(node, name) { marks.matches($0) } }
        // Almost no element has a mark, so one combined pattern is checked first.
        guard has(InterstitialPatterns.anyMarks) else { return }
        features.hasChallengeMark = features.hasChallengeMark || has(InterstitialPatterns.challengeMarks)
        features.hasCaptcha = features.hasCaptcha || has(InterstitialPatterns.captchaMarks)
        features.hasWallMark = features.hasWallMark || has(InterstitialPatterns.wallMarks)
    }

    private mutating func recordField(_ field: NodeID) {
        switch document.attribute(field, .type)?.lowercased() {
        case "password": if asideDepth == 0 { features.passwordFields += 1 }
        case nil, "text", "email", "tel": if asideDepth == 0 { features.textFields += 1 }
        case "submit", "button":
            endBlock()
            buttonDepth += 1
            var label = OpenBlock()
            document.withBytes(field, .value) { label.add($0, isLink: false) }
            open = label
            endBlock()
            buttonDepth -= 1
        default: break
        }
    }

    // MARK: - Blocks

    private mutating func addText(of node: NodeID) {
        // Move the block out and back, so that its bytes are not copied.
        var block = OpenBlock()
        swap(&block, &open)
        let isLink = linkDepth > 0
        document.withText(node) { block.add($0, isLink: isLink) }
        open = block
    }

    /// Whether the text contains a character that ends a sentence, in ASCII, CJK, Arabic or Devanagari.
    private static func endsSentence(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        for index in text.indices {
            switch text[index] {
            case 0x2E, 0x21, 0x3F: return true
            case 0xE3 where text.dropFirst(index).starts(with: [0xE3, 0x80, 0x82]): return true
            case 0xEF where text.dropFirst(index).starts(with: [0xEF, 0xBC, 0x81]): return true
            case 0xEF where text.dropFirst(index).starts(with: [0xEF, 0xBC, 0x9F]): return true
            case 0xD8 where text.dropFirst(index).starts(with: [0xD8, 0x9F]): return true
            case 0xDB where text.dropFirst(index).starts(with: [0xDB, 0x94]): return true
            case 0xE0 where text.dropFirst(index).starts(with: [0xE0, 0xA5, 0xA4]): return true
            default: continue
            }
        }
        return false
    }

    private mutating func endBlock() {
        guard open.letters > 0 else {
            open.bytes.removeAll(keepingCapacity: true)
            return
        }
        features.letters += open.letters
        features.linkLetters += open.linkLetters
        if asideDepth == 0 { add(open) }
        open = OpenBlock()
    }

    private mutating func add(_ ended: OpenBlock) {
        var block = InterstitialFeatures.Block(
            kind: headingDepth > 0 ? .heading : buttonDepth > 0 ? .button : .text, words: [], letters: ended.letters,
            linkLetters: ended.linkLetters,
            isProse: ended.letters >= Self.minProseLetters && ended.linkLetters * 3 < ended.letters
                && ended.hasSentenceEnd)
        if features.blocks.count < Self.maxBlocks {
            block.words = PhraseList.normalized(ended.bytes)
            block.asksConsent = InterstitialPatterns.consentPhrases.isIn(block.words)
            features.blocks.append(block)
        }
        if block.isProse {
            features.prose += block.letters
            if block.asksConsent { features.consentProse += block.letters } else { currentRun += block.letters }
            features.longestRun = max(features.longestRun, currentRun)
        } else if ended.letters >= Self.minHeadlineLetters, ended.linkLetters * 5 >= ended.letters * 4 {
            features.linkedHeadlines += 1
            currentRun = 0
        }
    }
}
