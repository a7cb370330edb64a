import HTML

/// Writes the author and the date of each post of a forum as one line above the post. Forums show the author in a panel
/// beside the post, with a picture, a rank, and counters. The panels of widespread software are known by their classes:
/// XenForo, vBulletin, phpBB, Simple Machines, MyBB, Invision Community, WoltLab and Discourse.
enum ForumAuthors {
    /// The class of the lines. ``BlockHints/contributor`` is its hint.
    static let lineClass = "lecterncontributor"

    /// Class names of panels.
    private static let panels: Set<String> = [
        "message-user", "messageuserinfo", "postprofile", "ipscomment_author", "cauthorpane", "crawler-post-meta",
        "topic-meta-data", "messagesidebar",
    ]
    /// Class names of panels that other pages use, too. A forum has at least two of them.
    private static let commonPanels: Set<String> = ["userinfo", "userinfo_noavatar", "poster", "post_author"]
    /// Class names of the lines with the date and the number of a post.
    private static let heads: Set<String> = ["message-attribution", "posthead", "post_head"]
    /// Class names of the parts of posts that are not text.
    private static let noise: Set<String> = [
        "message-signature", "signature", "signaturecontainer", "message-lastedit", "message-footer", "nodecontrols",
        "postcounter", "post-buttons", "after_content", "postfoot", "textcontrols", "postcontrols",
    ]
    private static let dates: Set<String> = ["date", "postdate", "post_date", "crawler-post-infos"]
    /// Parts of the names above, by which most elements are passed over.
    private static let words = WordPattern(
        """
        message-user messageuserinfo postprofile ipscomment_author cauthorpane crawler-post-meta topic-meta-data
        messagesidebar userinfo poster post_author
        """)
    private static let otherWords = WordPattern(
        "message-attribution posthead post_head signature message-lastedit message-footer nodecontrols postcounter"
            + " post-buttons after_content postfoot textcontrols postcontrols")

    /// A thread on one page has not more posts.
    private static let maxPanels = 2_000
    /// In bytes, for a name or a date.
    private static let maxBytes = 80

    static func write(in document: inout Document) {
        guard let body = document.body else { return }
        var found: [(node: NodeID, name: String)] = []
        var common = 0
        var end: NodeID?
        document.forEachNode(below: body) { node in
            guard found.count < maxPanels, document.attribute(node, .class, satisfies: { words.matches($0) }),
                !(end.map { document.isInside(node, $0) } ?? false)
            else { return }
            let names = ClassWords(of: node, in: document)
            let isCommon = names.hasName(of: commonPanels)
            guard isCommon || names.hasName(of: panels), let name = name(in: node, of: document) else { return }
            if isCommon { common += 1 }
            end = node
            found.append((node, name))
        }
        guard !found.isEmpty, common == 0 || common >= 2 else { return }
        removeHeads(beside: found, below: body, in: &document)
    }

    /// Replaces the panels by lines, and removes what else is not text.
    private static func removeHeads(
        beside panels: [(node: NodeID, name: String)], below body: NodeID, in document: inout Document
    ) {
        let names = Dictionary(panels.map { ($0.node, $0.name) }) { first, _ in first }
        var removed: [NodeID] = []
        var lines: [(panel: NodeID, name: String, date: String?)] = []
        // The date of a post stands above its panel or below it, in all posts alike.
        var date: String?
        var isDateFirst = false
        document.forEachNode(below: body) { node in
            if let name = names[node] {
                lines.append((node, name, self.date(in: node, of: document) ?? (isDateFirst ? date : nil)))
                return
            }
            guard document.attribute(node, .class, satisfies: { otherWords.matches($0) }) else { return }
            let words = ClassWords(of: node, in: document)
            if words.hasName(of: heads) {
                if lines.isEmpty { isDateFirst = true }
                date = self.date(in: node, of: document)
                if !isDateFirst, let last = lines.indices.last, lines[last].date == nil { lines[last].date = date }
                removed.append(node)
            } else if words.hasName(of: noise) {
                removed.append(node)
            }
        }
        for line in lines {
            let paragraph = document.makeElement(.p)
            document.set(paragraph, .class, to: lineClass)
            let name = document.makeElement(.strong)
            document.append(document.makeText(line.name), to: name)
            document.append(name, to: paragraph)
            if let date = line.date { document.append(document.makeText(", \(date)"), to: paragraph) }
            document.replace(line.panel, with: paragraph)
        }
        for node in removed { document.detach(node) }
    }

    /// Elements that are looked at for a name or a date.
    private static let maxElements = 60

    /// Returns the name in a panel: of an element that says so, or else the first in bold letters.
    private static func name(in panel: NodeID, of document: Document) -> String? {
        var bold: String?
        for node in elements(in: panel, of: document) {
            let tag = document.tag(node)
            let isName =
                document.hasWord("name", node, .itemprop)
                || document.attribute(node, .class, satisfies: { nameWords.matches($0) })
            let isBold = [.h3, .h4, .h5, .strong, .b].contains(tag)
            guard isName || isBold && bold == nil, let text = document.shortText(node, maxBytes: maxBytes) else {
                continue
            }
            if isName { return text }
            bold = text
        }
        return bold
    }

    private static let nameWords = WordPattern("username message-name user-name poster-name author-name")

    private static func date(in head: NodeID, of document: Document) -> String? {
        for node in elements(in: head, of: document)
        where document.tag(node) == .time || ClassWords(of: node, in: document).hasName(of: dates) {
            if let text = document.shortText(node, maxBytes: maxBytes), text.contains(where: \.isNumber) { return text }
        }
        return nil
    }

    private static func elements(in box: NodeID, of document: Document) -> [NodeID] {
        var found: [NodeID] = []
        var current = document.next(after: box, within: box)
        while let node = current, found.count < maxElements {
            if document.isElement(node) { found.append(node) }
            current = document.next(after: node, within: box)
        }
        return found
    }
}
