import HTML

/// The kind of content that a link leads to.
public enum PageKind: String, Sendable, CaseIterable {
    case article, video, audio, pdf, image, other

    /// Returns the kind of a file by its media type; nil for HTML, which can be any kind.
    public init?(contentType: String) {
        let type = contentType.prefix { $0 != ";" }.lowercased()
        if type.hasPrefix("video/") {
            self = .video
        } else if type.hasPrefix("audio/") {
            self = .audio
        } else if type.hasPrefix("image/") {
            self = .image
        } else if type == "application/pdf" || type == "application/x-pdf" {
            self = .pdf
        } else if type == "text/html" || type == "application/xhtml+xml" || type.isEmpty {
            return nil
        } else {
            self = .other
        }
    }

    /// In words. The text of a page with a player is a description of the recording if it is shorter than this.
    private static let maxDescriptionWords = 250

    /// - Parameter words: the number of words in the page's article; nil if it has none.
    init(_ facts: PageFacts, words: Int?) {
        let words = words ?? 0
        let type = facts.openGraphType ?? ""
        let linked = facts.linkedType ?? ""
        // An article that contains a film, where the JSON-LD describes only the film.
        let isTextArticle = type == "article" && words >= Self.maxDescriptionWords
        if Self.videoTypes.contains(linked) && !isTextArticle || type.hasPrefix("video") && linked.isEmpty {
            self = .video
        } else if Self.audioTypes.contains(linked) || type.hasPrefix("music") && linked.isEmpty {
            self = .audio
        } else if let medium = facts.player, words < Self.maxDescriptionWords,
            !linked.hasSuffix("Article") || words < 80
        {
            self = medium == .video ? .video : .audio
        } else {
            self = words > 0 ? .article : .other
        }
    }

    /// The schema.org types of films and recordings.
    private static let videoTypes: Set<String> = ["VideoObject", "Movie", "TVEpisode", "Clip"]
    private static let audioTypes: Set<String> = ["AudioObject", "PodcastEpisode", "RadioEpisode", "MusicRecording"]
}
