/// The picture that stands for a page.
enum PreviewPicture {
    /// Words in the names of files that stand for no page: they are shown where there is no picture.
    private static let standIns = WordPattern(
        "logo placeholder default-image default_image defaultimage no-image noimage no_image fallback blank spacer favicon sprite avatar gravatar apple-touch-icon missing pixel transparent")

    /// The first address that is no stand-in; else the article's own first picture; else a stand-in.
    ///
    /// - Parameters:
    ///   - addresses: absolute, the best source first.
    ///   - logo: of the publisher.
    static func choose(_ addresses: [String], logo: String?, inArticle: String? = nil) -> String? {
        addresses.first { !isStandIn($0) && $0 != logo } ?? inArticle ?? addresses.first
    }

    /// By the last two parts of its path.
    static func isStandIn(_ address: String) -> Bool {
        let path = address.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
        return path.count > 2 && path.suffix(min(2, path.count - 2)).contains { standIns.matches(String($0)) }
    }
}
