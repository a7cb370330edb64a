/// How certain it is that the text that was found is the article. The raw values are stored with the article.
public enum ArticleConfidence: String, Sendable, CaseIterable {
    case normal
    /// Nothing on the page was convincing: the best of what is there was taken.
    case low
}
