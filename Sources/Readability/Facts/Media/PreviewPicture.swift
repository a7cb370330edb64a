/// Chooses the picture that represents a page in previews.
enum PreviewPicture {
    /// Words in the names of placeholder files, which sites show if a page has no picture.
    private static let placeholderWords = WordPattern(
        """
        logo placeholder default-image default_image defaultimage no-image noimage no_image fallback blank spacer
        favicon sprite avatar gravatar apple-touch-icon missing pixel transparent
        """)

    /// Returns the first URL that is no placeholder, or else the article's first picture, or else a placeholder.
    ///
    /// - Parameters:
    ///   - addresses: absolute URLs, best source first.
    ///   - logo: the publisher's logo.
    static func choose(_ addresses: [String], logo: String?, inArticle: String? = nil) -> String? {
        addresses.first { !isPlaceholder($0) && $0 != logo } ?? inArticle ?? addresses.first
    }

    /// Checks the last two components of the path.
    static func isPlaceholder(_ address: String) -> Bool {
        let path = Array(address.utf8).prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            .split(separator: UInt8(ascii: "/"))
        return path.count > 2 && path.suffix(min(2, path.count - 2)).contains { placeholderWords.matches($0) }
    }
}
