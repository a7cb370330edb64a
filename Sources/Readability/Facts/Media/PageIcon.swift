import HTML

/// Chooses the icon that a page declares for its site.
enum PageIcon {
    /// In pixels a side. Larger icons are treated as equal.
    private static let sufficientSize = 192
    /// The sizes of icons that declare none: classic favicons, and icons for phones' home screens.
    private static let defaultIconSize = 32
    private static let defaultTouchIconSize = 180
    /// An SVG has no size. It wins unless a bitmap comes close to `sufficientSize`.
    private static let scalableSize = 128

    /// Returns the URL of the best icon among these `link` elements, as written.
    static func best(_ links: [NodeID], in document: Document) -> String? {
        var best: (size: Int, address: String)?
        for link in links {
            let isTouch =
                document.hasWord("apple-touch-icon", link, .rel)
                || document.hasWord("apple-touch-icon-precomposed", link, .rel)
            guard isTouch || document.hasWord("icon", link, .rel),
                let address = document.shortValue(link, .href, maxBytes: 4_096),
                !address.hasPrefix("data:")
            else { continue }
            let size = min(
                size(document.attribute(link, .sizes), address) ?? (isTouch ? defaultTouchIconSize : defaultIconSize),
                sufficientSize)
            if size > best?.size ?? 0 { best = (size, address) }
        }
        return best?.address
    }

    private static func size(_ sizes: String?, _ address: String) -> Int? {
        let path = address.utf8.prefix { $0 != UInt8(ascii: "?") }
        if path.suffix(4).map(lowercased).elementsEqual(".svg".utf8) || sizes?.lowercased() == "any" {
            return scalableSize
        }
        return sizes?.lowercased().split(whereSeparator: \.isWhitespace).prefix(20)
            .compactMap { $0.split(separator: "x").first.flatMap { Int($0) } }.max()
    }
}
