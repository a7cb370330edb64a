import Settings

/// Which pages are kept once they have been read.
struct SourceRetention: Sendable, Equatable {
    /// The database keeps pages for a newer extractor to read.
    var isOn = true
    /// Bytes of the largest page that is kept.
    var limit = 4_194_304

    init() {}

    init(_ settings: Settings) {
        isOn = settings.text("KEEP_SOURCE") == "on"
        limit = settings.number("KEEP_SOURCE_LIMIT")
    }

    func keeps(_ html: String) -> Bool { isOn && html.utf8.count <= limit }
}
