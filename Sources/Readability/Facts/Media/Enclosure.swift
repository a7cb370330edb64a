import HTML

/// The audio or video file that belongs to a page.
public struct Enclosure: Equatable, Sendable {
    /// An absolute http or https URL.
    public var url: String
    /// The media type, such as `audio/mpeg`; nil if neither the page nor the file name tells it.
    public var type: String?
    /// In seconds.
    public var duration: Int?

    public init(url: String, type: String? = nil, duration: Int? = nil) {
        self.url = url
        self.type = type
        self.duration = duration
    }

    /// Creates an enclosure for an audio or video file; nil for a page with a player and for any other file.
    ///
    /// - Parameter isMedium: whether the source only ever names media files, so that a missing media type is accepted.
    init?(url: String?, type: String?, isMedium: Bool = false, duration: Int?) {
        guard let url else { return nil }
        let written = type.flatMap { $0.split { $0 == ";" || $0.isWhitespace }.first }.map { $0.lowercased() }
        let ending = Self.type(ofFile: url)
        if let written, Self.isPlayable(written) {
            self.type = written
        } else if let ending {
            self.type = ending
        } else if isMedium, written == nil || written == "application/octet-stream" || written?.contains("/") == false {
            self.type = nil
        } else {
            return nil
        }
        self.url = url
        self.duration = duration
    }

    static func isPlayable(_ type: String) -> Bool {
        guard type.utf8.count <= 100, type.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return false }
        return type.hasPrefix("audio/") || type.hasPrefix("video/") || type == "application/ogg"
            || type == "application/x-mpegurl"
            || type == "application/vnd.apple.mpegurl" || type == "application/dash+xml"
    }

    /// Returns the media type for the file name extension.
    static func type(ofFile url: String) -> String? {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        guard let dot = path.lastIndex(of: ".") else { return nil }
        return types[path[path.index(after: dot)...].lowercased()]
    }

    /// Source: https://www.iana.org/assignments/media-types and the types that servers send.
    private static let types = [
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "m4b": "audio/mp4", "aac": "audio/aac", "ogg": "audio/ogg",
        "oga": "audio/ogg", "opus": "audio/ogg", "flac": "audio/flac", "wav": "audio/wav", "weba": "audio/webm",
        "mp4": "video/mp4", "m4v": "video/mp4", "webm": "video/webm", "ogv": "video/ogg", "mov": "video/quicktime",
        "m3u8": "application/vnd.apple.mpegurl", "mpd": "application/dash+xml",
    ]

    /// Parses `PT1H2M3S`, `1:02:03` or `3723` as seconds; nil if the text is no duration or longer than a week.
    static func seconds(_ written: String?) -> Int? {
        guard let text = written?.trimmingSpaces.uppercased(), !text.isEmpty, text.utf8.count <= 40 else { return nil }
        let seconds: Double?
        if text.hasPrefix("P") {
            seconds = iso(text)
        } else if text.contains(":") {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
            seconds = parts.count <= 3 && !parts.contains(nil) ? parts.reduce(0) { $0 * 60 + ($1 ?? 0) } : nil
        } else {
            seconds = Double(text)
        }
        guard let seconds, seconds >= 1, seconds <= 604_800 else { return nil }
        return Int(seconds.rounded())
    }

    /// Source: ISO 8601, durations: `P1DT2H3M4.5S`.
    private static func iso(_ text: String) -> Double? {
        var seconds = 0.0
        var number = ""
        var isTime = false
        for character in text.dropFirst() {
            switch character {
            case "T": isTime = true
            case "0"..."9", ".": number.append(character)
            default:
                guard let value = Double(number) else { return nil }
                switch (character, isTime) {
                case ("D", false): seconds += value * 86_400
                case ("H", true): seconds += value * 3_600
                case ("M", true): seconds += value * 60
                case ("S", true): seconds += value
                case ("Y", false), ("M", false), ("W", false): if value != 0 { return nil }
                default: return nil
                }
                number = ""
            }
        }
        return seconds
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        split(whereSeparator: \.isWhitespace).joined()
    }
}
