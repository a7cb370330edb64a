import Settings

/// Decides which pages stay stored after they have been read.
struct SourceRetention: Sendable, Equatable {
    /// Whether pages stay stored, for a newer extractor to read.
    var isOn = true
    /// The size of the largest stored page in bytes.
    var limit = 4_194_304

    init() {}

    init(_ settings: Settings) {
        isOn = settings.text("KEEP_SOURCE") == "on"
        limit = settings.number("KEEP_SOURCE_LIMIT")
    }

    func includes(_ html: String) -> Bool { isOn && html.utf8.count <= limit }
}
