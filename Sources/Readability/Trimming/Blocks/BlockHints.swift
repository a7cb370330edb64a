import HTML

/// What the class, id, role and itemprop of an element indicate about its content.
struct BlockHints: OptionSet {
    let rawValue: UInt16

    static let caption = BlockHints(rawValue: 1)
    /// Links to other pages of the site.
    static let related = BlockHints(rawValue: 1 << 1)
    static let share = BlockHints(rawValue: 1 << 2)
    /// Newsletters, memberships, donations.
    static let subscribe = BlockHints(rawValue: 1 << 3)
    static let advertisement = BlockHints(rawValue: 1 << 4)
    static let comments = BlockHints(rawValue: 1 << 5)
    static let author = BlockHints(rawValue: 1 << 6)
    /// Dates, categories, tags.
    static let meta = BlockHints(rawValue: 1 << 7)
    static let standfirst = BlockHints(rawValue: 1 << 8)
    /// Print, text size, ratings.
    static let tools = BlockHints(rawValue: 1 << 9)
    /// Visible to screen readers only.
    static let unseen = BlockHints(rawValue: 1 << 10)
    static let navigation = BlockHints(rawValue: 1 << 11)
    /// Represents the article elsewhere; may be the article's first paragraph.
    static let summary = BlockHints(rawValue: 1 << 12)

    /// Boxes beside the article: side bars, the foot of the page.
    static let beside = BlockHints(rawValue: 1 << 13)

    /// A line that ``ForumAuthors`` has written.
    static let contributor = BlockHints(rawValue: 1 << 14)

    /// Hints of boxes that do not belong to the article, wherever they are.
    static let foreign: BlockHints = [.related, .share, .subscribe, .advertisement, .comments, .tools, .navigation]

    /// Returns the hints of the element itself, not of its ancestors.
    static func of(_ node: NodeID, in document: Document) -> BlockHints {
        guard document.attributeCount(node) > 0 else { return [] }
        var hints: BlockHints = []
        func add(_ name: AttributeName, _ found: (UnsafeBufferPointer<UInt8>) -> BlockHints) {
            _ = document.attribute(node, name) { text in
                if !text.isEmpty { hints.formUnion(found(text)) }
                return true
            }
        }
        if !document.isSVG(node) { add(.class, inNames) }
        add(.id, inNames)
        add(.itemprop, inProperty)
        if document.has(node, .role), Vocabulary.unlikelyRoles.contains(document.attribute(node, .role) ?? "") {
            hints.insert(.navigation)
        }
        return hints
    }

    /// Class names consist of words: `sdc-related__title`, `photoCredit`. Each word is looked up separately, so that
    /// `gradient` does not match `ad`.
    private static func inNames(_ text: UnsafeBufferPointer<UInt8>) -> BlockHints {
        var hints: BlockHints = []
        var hash = Hash()
        var whole = Hash()
        var wasSmall = false
        for index in 0...text.count {
            let byte = index < text.count ? text[index] : 0x20
            let isCapital = byte >= 0x41 && byte <= 0x5A
            let isLetter = isCapital || byte >= 0x61 && byte <= 0x7A || byte >= 0x80
            if !isLetter || isCapital && wasSmall {
                if hash.count > 1 { hints.formUnion(BlockHints.ofWord(hash)) }
                hash = Hash()
            }
            if isLetter {
                hash.add(lowercased(byte))
                whole.add(lowercased(byte))
            } else if byte <= 0x20 {
                if whole.count > 5 { hints.formUnion(BlockHints.ofWord(whole)) }
                whole = Hash()
            }
            wasSmall = isLetter && !isCapital
        }
        return hints
    }

    private static func ofWord(_ hash: Hash) -> BlockHints { words[hash.value] }

    private static func inProperty(_ text: UnsafeBufferPointer<UInt8>) -> BlockHints {
        var hash = Hash()
        for byte in text { hash.add(lowercased(byte)) }
        return properties[hash.value]
    }

    /// FNV-1a. Source: http://www.isthe.com/chongo/tech/comp/fnv/
    struct Hash {
        private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325
        private(set) var count = 0
        mutating func add(_ byte: UInt8) {
            value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
            count += 1
        }
        static func of(_ word: some Sequence<UInt8>) -> UInt64 {
            var hash = Hash()
            for byte in word { hash.add(byte) }
            return hash.value
        }
    }

    // MARK: Words. Long ones are whole names without their dashes: `read-more` is `readmore`.

    private static let words = table([
        // Captions, in English, German, French, Spanish.
        (
            .caption,
            """
            caption captions cutline credit credits figcaption imagecaption imagecredit photocaption photocredit
            newscaption
            wpcaptiontext bildunterschrift bildnachweis legende leyenda piedefoto legend imagedescription bildtext bildunterzeile captiontext copyright photographer
            """
        ),
        (
            .related,
            """
            related relatedposts relatedarticles relatedstories relatedlinks relatedcontent recommended recommendation
            recommendations
            recirc recirculation readmore readnext readalso alsoread seealso morefrom morestories morenews upnext
            mostread
            mostpopular trending outbrain taboola teaser teasers promo promos promobox yarpp crp jprelatedposts popular
            similar relacionados relacionadas aehnlich weiterlesen relatednews inlinerelated
            """
        ),
        (
            .share,
            """
            share shares sharing sharebar sharebox sharebuttons sharetools shareaholic sharedaddy social socials
            socialmedia
            socialshare socialbar addthis addtoany sns follow followus compartir partager teilen
            """
        ),
        (
            .subscribe,
            """
            newsletter newsletters subscribe subscription signup signin mailchimp optin donate donation cta
            paywall membership registerwall
            wformdone wformfail
            """
        ),
        (
            .advertisement,
            """
            ad ads adv advert adverts advertisement advertising adslot adunit adbox adcontainer adsbygoogle dfp gpt
            sponsor sponsored
            banner affiliate affiliates disclosure disclaimer iklan publicidad publicite werbung anzeige reklama
            """
        ),
        (
            .comments,
            """
            comment comments commentlist commentform disqus respond discussion kommentare comentarios commentaires
            """
        ),
        (.author, "author authors authorbio authorbox byline bio biography autor auteur contributor writer vcard"),
        (
            .meta,
            """
            meta citation citate entryutility entryfooter postfooter articlefooter date dateline datetime timestamp published publish pubdate updated posted postmeta entrymeta breadcrumb
            breadcrumbs category categories kicker eyebrow tags taglist keywords taxonomy topics readtime readingtime
            dateposted storydate articleinfo postinfo entryinfo storyinfo articlemeta
            """
        ),
        // English, German, French, Spanish, Italian, Scandinavian.
        (
            .standfirst,
            """
            standfirst deck dek subtitle subheadline strapline vorspann unterzeile chapo chapeau soustitre entradilla
            bajada copete subtitulo sottotitolo occhiello ingress underrubrik
            """
        ),
        (.summary, "summary excerpt"),
        (.beside, "sidebar sidebars footer colophon masthead blogroll"),
        (
            .tools,
            """
            respond commentform print noprint printtools tools toolbox toolbar reprints rating ratings textsize
            fontsize feedback vote votes voting upvote downvote votecount
            """
        ),
        (.contributor, ForumAuthors.lineClass),
        (.unseen, "screenreadertext sronly visuallyhidden offscreen screenreader screenreaderonly"),
        (
            .navigation,
            "breadcrumb breadcrumbs navigation pagination pager postnav postnavigation prevnext skiplink menu"
        ),
    ])

    private static let properties = table([
        (.author, "author editor creator"),
        (.meta, "datepublished datemodified datecreated articlesection keywords datepublisheddatemodified"),
        (.caption, "caption copyrightholder"),
        (.comments, "comment commentcount"),
    ])

    private static func table(_ lists: [(BlockHints, String)]) -> BlockHintTable {
        var table: [UInt64: BlockHints] = [:]
        for (hint, words) in lists {
            for word in words.utf8.split(whereSeparator: { $0 <= 0x20 }) {
                table[Hash.of(word), default: []].formUnion(hint)
            }
        }
        return BlockHintTable(table)
    }
}
