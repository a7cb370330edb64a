import HTML

/// The words and numbers the rules go by, in one place.
///
/// Source of all of them, unless noted: Mozilla Readability 0.6.0 (Readability.js, Apache-2.0; its ancestor is Arc90's
/// readability 1.7.1), with the changes up to mid-2026. They are facts about how pages are made; change one only with a
/// look at every test page.
enum Vocabulary {
    // MARK: Class and id words

    /// Parts of a page that are hardly its article …
    static let unlikely = WordPattern(
        """
        -ad- ai2html banner breadcrumbs combx comment community cover-wrap disqus extra footer gdpr header legends menu
        related remark replies rss shoutbox sidebar skyscraper social sponsor supplemental ad-break agegate pagination
        pager popup yom-remote
        """)
    /// … unless one of these stands there too.
    static let maybeAfterAll = WordPattern("and article body column content main mathjax shadow")

    static let positive = WordPattern(
        "article body content entry hentry h-entry main page pagination post text blog story")
    /// The word `hid` counts only between spaces; see ``ClassWeight``.
    static let negative = WordPattern(
        """
        -ad- hidden banner combx comment com- contact footer gdpr masthead media meta outbrain promo related scroll
        share shoutbox sidebar skyscraper sponsor shopping tags widget
        """)

    static let byline = WordPattern("byline author dateline writtenby p-author")
    /// Images with this word in their class show a stand-in until a script loads them.
    static let lazy = WordPattern("lazy")
    static let unlikelyRoles: Set<String> = [
        "menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog",
    ]

    // MARK: Kinds of elements

    static let scored: TagSet = [.section, .h2, .h3, .h4, .h5, .h6, .p, .td, .pre]
    /// A `div` with none of these inside is a paragraph.
    static let blocks: TagSet = [.blockquote, .dl, .div, .img, .ol, .p, .pre, .table, .ul]
    /// What counts as running text inside a paragraph. `a`, `del` and `ins` do when all inside them does. Canvas, iframe,
    /// svg and video are phrasing by the standard, but are better left outside paragraphs, where cleaning would take them.
    static let phrasing: TagSet = [
        .abbr, .audio, .b, .bdo, .br, .button, .cite, .code, .data, .datalist, .dfn, .em, .embed, .i, .img, .input,
        .kbd,
        .label, .mark, .math, .meter, .noscript, .object, .output, .progress, .q, .ruby, .samp, .script, .select,
        .small,
        .span, .strong, .sub, .sup, .textarea, .time, .var, .wbr,
    ]
    static let phrasingByContent: TagSet = [.a, .del, .ins]
    /// Removed when nothing is in them.
    static let removedWhenEmpty: TagSet = [.div, .section, .header, .h1, .h2, .h3, .h4, .h5, .h6]
    /// Siblings joined to the article that keep their name; others become `div`, so that cleaning does not take them.
    static let keptAsSibling: TagSet = [.div, .article, .section, .p, .ol, .ul]
    static let lists: TagSet = [.ul, .ol]
    static let embeds: TagSet = [.object, .embed, .iframe]
    static let textBearers: TagSet = [.span, .li, .td, .blockquote, .dl, .div, .img, .ol, .p, .pre, .table, .ul]
    static let dataTableParts: TagSet = [.col, .colgroup, .tfoot, .thead, .th]
    static let media: TagSet = [.img, .picture, .figure, .video, .audio, .source]

    // MARK: Attributes

    static let presentational: [AttributeName] = [
        .align, .background, .bgcolor, .border, .cellpadding, .cellspacing, .frame, .hspace, .rules, .style, .valign,
        .vspace,
    ]
    /// Elements whose width and height are old styling. Those of images are their proportions and stay.
    static let oldSizes: TagSet = [.table, .th, .td, .hr, .pre]
    static let imageEndings = [".jpg", ".jpeg", ".png", ".webp"].map { Array($0.utf8) }

    // MARK: Numbers

    /// UTF-16 units an article should have; below that the search is repeated with fewer rules.
    static let wantedLength = 500
    /// A paragraph shorter than this scores nothing.
    static let shortestScored = 25
    static let ancestorsScored = 5
    static let candidatesCompared = 5
    static let alternativesNeeded = 3
    /// A box with as many commas is running text.
    static let commasOfText = 10
    /// Longest byline in UTF-16 units, not included.
    static let longestByline = 100
    /// Share of words two texts must have in common to count as the same headline.
    static let sameHeadline = 0.75
    /// An image of fewer bytes (133 of base64 are 100) stands in for one that is loaded later.
    static let smallestDataImage = 133

    // MARK: Texts

    /// A block that says nothing else is an advertisement.
    static let advertisingWords: Set<String> = [
        "ad", "advertising", "advertisement", "pub", "publicité", "werb", "werbung", "广告", "реклама", "anuncio",
    ]
    /// A block that says nothing else, with or without dots, waits for a script.
    static let loadingWords: Set<String> = ["loading", "正在加载", "загрузка", "chargement", "cargando"]

    /// Players whose embedding is kept: `//`, perhaps `www.`, then one of these.
    static let videoHosts = [
        "dailymotion.com", "youtube.com", "youtube-nocookie.com", "player.vimeo.com", "v.qq.com", "bilibili.com",
        "live.bilibili.com", "archive.org", "upload.wikimedia.org", "player.twitch.tv",
    ].map { Array($0.utf8) }
}
