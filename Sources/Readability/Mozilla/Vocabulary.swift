import HTML

/// The words and numbers that the rules use, in one place.
///
/// Source of all of them, unless noted: Mozilla Readability 0.6.0 (Readability.js, Apache-2.0; based on Arc90's
/// readability 1.7.1), with changes up to mid-2026. They describe how pages are made; check every test page before
/// changing one.
enum Vocabulary {
    // MARK: Class and id words

    /// Words of elements that are unlikely to be the article …
    static let unlikely = WordPattern(
        """
        -ad- ai2html banner breadcrumbs combx comment community cover-wrap disqus extra footer gdpr header legends menu
        related remark replies rss shoutbox sidebar skyscraper social sponsor supplemental ad-break agegate pagination
        pager popup yom-remote
        """)
    /// … unless one of these occurs there, too.
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
    /// Images with this word in their class show a placeholder until a script loads them.
    static let lazy = WordPattern("lazy")
    static let unlikelyRoles: Set<String> = [
        "menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog",
    ]

    // MARK: Kinds of elements

    static let scored: TagSet = [.section, .h2, .h3, .h4, .h5, .h6, .p, .td, .pre]
    /// A `div` without any of these inside is a paragraph.
    static let blocks: TagSet = [.blockquote, .dl, .div, .img, .ol, .p, .pre, .table, .ul]
    /// Running text inside a paragraph. `a`, `del` and `ins` count if all their content does. Canvas, iframe, svg and
    /// video are phrasing content in the HTML standard, but stay outside paragraphs here, because cleaning would remove
    /// them.
    static let phrasing: TagSet = [
        .abbr, .audio, .b, .bdo, .br, .button, .cite, .code, .data, .datalist, .dfn, .em, .embed, .i, .img, .input,
        .kbd,
        .label, .mark, .math, .meter, .noscript, .object, .output, .progress, .q, .ruby, .samp, .script, .select,
        .small,
        .span, .strong, .sub, .sup, .textarea, .time, .var, .wbr,
    ]
    static let phrasingByContent: TagSet = [.a, .del, .ins]
    /// Removed if they are empty.
    static let removedWhenEmpty: TagSet = [.div, .section, .header, .h1, .h2, .h3, .h4, .h5, .h6]
    /// Siblings joined to the article that keep their tag. Others become `div`, so that cleaning does not remove them.
    static let keptAsSibling: TagSet = [.div, .article, .section, .p, .ol, .ul]
    static let lists: TagSet = [.ul, .ol]
    static let embeds: TagSet = [.object, .embed, .iframe]
    static let textElements: TagSet = [.span, .li, .td, .blockquote, .dl, .div, .img, .ol, .p, .pre, .table, .ul]
    static let dataTableParts: TagSet = [.col, .colgroup, .tfoot, .thead, .th]
    static let media: TagSet = [.img, .picture, .figure, .video, .audio, .source]

    // MARK: Attributes

    static let presentational: [AttributeName] = [
        .align, .background, .bgcolor, .border, .cellpadding, .cellspacing, .frame, .hspace, .rules, .style, .valign,
        .vspace,
    ]
    /// Elements whose width and height are obsolete styling. Those of images give their proportions and stay.
    static let oldSizes: TagSet = [.table, .th, .td, .hr, .pre]
    static let imageEndings = [".jpg", ".jpeg", ".png", ".webp"].map { Array($0.utf8) }

    // MARK: Numbers

    /// UTF-16 code units that an article should have. Below that the search is repeated with fewer rules.
    static let wantedLength = 500
    /// A shorter paragraph does not score.
    static let minScoredLength = 25
    static let ancestorsScored = 5
    static let candidatesCompared = 5
    static let alternativesNeeded = 3
    /// A box with this many commas is running text.
    static let commasOfText = 10
    /// Upper limit of a byline's length in UTF-16 code units, exclusive.
    static let maxBylineLength = 100
    /// Two texts that share more than this share of their words are the same headline.
    static let sameHeadline = 0.75
    /// A shorter embedded image (133 base64 characters are 100 bytes) is a placeholder for one that is loaded later.
    static let smallestDataImage = 133

    // MARK: Texts

    /// A block with one of these as its whole text is an advertisement.
    static let advertisingWords: Set<String> = [
        "ad", "advertising", "advertisement", "pub", "publicité", "werb", "werbung", "广告", "реклама", "anuncio",
    ]
    /// A block with one of these as its whole text, with or without dots, waits for a script.
    static let loadingWords: Set<String> = ["loading", "正在加载", "загрузка", "chargement", "cargando"]

    /// Players whose embeds are kept: `//`, optionally `www.`, then one of these.
    static let videoHosts = [
        "dailymotion.com", "youtube.com", "youtube-nocookie.com", "player.vimeo.com", "v.qq.com", "bilibili.com",
        "live.bilibili.com", "archive.org", "upload.wikimedia.org", "player.twitch.tv",
    ].map { Array($0.utf8) }
}
