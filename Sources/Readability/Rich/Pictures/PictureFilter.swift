import HTML

/// Separates the article's pictures from other `img` elements: counters, spacers, icons, portraits of authors.
enum PictureFilter {
    enum Verdict: Equatable {
        case picture
        /// A picture that represents symbols within a line, such as a formula.
        case symbol
        /// The alternative text says the same as the picture.
        case text(String)
        case junk
    }

    /// In pixels. A picture no larger than this on both sides is an icon.
    private static let iconSize = 32
    /// In pixels. A picture no larger than this on one side is a rule or a tracking pixel.
    private static let lineSize = 2
    /// In pixels. A picture no larger than this on both sides is a portrait if it is square, and a button if it is
    /// flat.
    private static let portraitSize = 100
    /// In pixels. A picture at least this large on one side is content, whatever its class.
    private static let pictureSize = 200

    /// Words in classes, ids and file names of small pictures around an article.
    private static let smallWords: Set<String> = [
        "avatar", "gravatar", "userpic", "icon", "icons", "favicon", "logo", "sprite", "sprites", "spacer", "pixel",
        "tracking", "tracker", "beacon", "share", "sharing", "social", "badge", "spinner", "loader", "arrow", "bullet",
        "flag", "emoji", "button",
    ]
    /// Words that may occur in such file names beside the words above.
    private static let brandWords: Set<String> = [
        "facebook", "twitter", "x", "linkedin", "whatsapp", "pinterest", "email", "mail", "print", "rss", "instagram",
        "youtube", "telegram", "reddit", "search", "menu", "close", "play", "the", "site", "new", "black", "white",
        "small", "footer", "header",
    ]
    private static let emojiWords: Set<String> = [
        "emoji", "emojione", "twemoji", "emoticon", "emoticons", "smiley", "smilie", "smilies",
    ]
    private static let formulaWords: Set<String> = [
        "math", "tex", "latex", "mathjax", "formula", "equation", "mwe", "katex",
    ]

    static func verdict(on image: NodeID, address: String, in document: Document) -> Verdict {
        let alt = WhiteSpace.trim(document.attribute(image, .alt) ?? "")
        let classes = ClassWords(of: image, in: document)
        if classes.hasWord(of: formulaWords) || isTeX(alt) { return .symbol }
        let width = size(.width, "width", of: image, in: document)
        let height = size(.height, "height", of: image, in: document)
        let isSmall = width ?? .max <= 2 * iconSize && height ?? .max <= 2 * iconSize
        if !alt.isEmpty, alt.utf8.count <= 40, classes.hasWord(of: emojiWords) || (isSmall && isEmoji(alt)) {
            return .text(alt)
        }
        if width ?? .max <= lineSize || height ?? .max <= lineSize { return .junk }
        if let width, let height, width <= portraitSize, height <= iconSize || (width == height && alt.isEmpty) {
            return .junk
        }
        if isBadge(image, address, in: document) { return .junk }
        guard width ?? 0 < pictureSize, height ?? 0 < pictureSize else { return .picture }
        if PictureSources.isPlaceholder(address) { return .junk }
        return classes.hasWord(of: smallWords) || isSmallByName(address) || isSmallByFolder(address) ? .junk : .picture
    }

    private static func isSmallByName(_ address: String) -> Bool {
        let stem = PictureSources.fileName(address).prefix { $0 != UInt8(ascii: ".") }
        let words = stem.split(whereSeparator: { !isAlphanumeric($0) }).map { String(decoding: $0, as: UTF8.self) }
        return words.contains(where: smallWords.contains)
            && words.allSatisfy {
                smallWords.contains($0) || brandWords.contains($0) || $0.utf8.allSatisfy { $0 <= 0x39 }
            }
    }

    /// Names of folders with small pictures.
    private static let smallFolders: Set<String> = [
        "avatar", "avatars", "author", "authors", "gravatar", "userpics", "icons", "emoji", "emojis", "smilies",
        "smileys", "badges", "badge", "sprites", "flags",
    ]

    private static func isSmallByFolder(_ address: String) -> Bool {
        let path = Array(address.utf8).prefix(2_048).prefix { $0 != UInt8(ascii: "?") }
        return path.split(separator: UInt8(ascii: "/")).dropLast().contains {
            (5...8).contains($0.count) && smallFolders.contains(String(decoding: $0.map(lowercased), as: UTF8.self))
        }
    }

    /// Whether an image is an SVG that links to another page: a logo or a status badge.
    private static func isBadge(_ image: NodeID, _ address: String, in document: Document) -> Bool {
        guard PictureSources.fileName(address).suffix(4).elementsEqual(".svg".utf8) else { return false }
        return Pictures.linksElsewhere(image, in: document)
    }

    /// Whether an alternative text is the TeX source of a formula.
    private static func isTeX(_ alt: String) -> Bool {
        alt.utf8.first == UInt8(ascii: "$") && alt.utf8.last == UInt8(ascii: "$") && alt.utf8.count > 2
            || alt.utf8.starts(with: "{\\displaystyle".utf8)
    }

    private static func isEmoji(_ alt: String) -> Bool {
        alt.unicodeScalars.count <= 8
            && alt.unicodeScalars.allSatisfy {
                $0.properties.isEmojiPresentation || $0.properties.isVariationSelector || $0.value == 0x200D
                    || ($0.value > 0x2000 && $0.properties.isEmoji) || $0.properties.isEmojiModifier
            }
    }

    /// Returns the size in pixels, from the attribute or the style.
    static func size(_ name: AttributeName, _ property: String, of image: NodeID, in document: Document) -> Int? {
        if let written = document.attribute(image, name), let pixels = pixels(written) { return pixels }
        guard let style = document.attribute(image, .style), style.utf8.count < 1_000 else { return nil }
        for declaration in style.split(separator: ";") {
            let parts = declaration.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, WhiteSpace.trim(String(parts[0])).lowercased() == property else { continue }
            return pixels(String(parts[1]))
        }
        return nil
    }

    private static func pixels(_ written: String) -> Int? {
        let text = WhiteSpace.trim(written)
        let digits = text.utf8.prefix { $0 >= 0x30 && $0 <= 0x39 }.prefix(6)
        let unit = text.utf8.drop { ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2E }
        guard unit.isEmpty || unit.starts(with: "px".utf8) else { return nil }
        return Int(String(decoding: Array(digits), as: UTF8.self))
    }
}
