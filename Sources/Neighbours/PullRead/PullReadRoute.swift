import HTTP

/// The routes of PullRead's viewer. Lectern is read-only for it: everything that writes is refused, except saving a page.
public enum PullReadRoute: Equatable, Sendable {
    case files, file, filesChanged
    case highlights, notes, notebooks
    case settings, ttsSettings
    case syncStatus, syncProgress, inbox
    case save
    /// Signs the viewer in with a token, and out.
    case session, endSession
    /// `/favicons/<domain>.png`
    case favicon(domain: String)
    /// A path of the viewer, or a method, that is not answered.
    case refused

    var kind: NeighbourRoute.Kind {
        switch self {
        case .endSession, .refused: .open
        case .save: .save
        default: .read
        }
    }

    /// Whether the viewer's cookie is taken for a token. It never is where something is written.
    public var takesCookie: Bool { kind == .read && self != .session }

    /// What the viewer asks the server to do beyond reading: summaries, speech, feeds and settings of its own.
    private static let beyondReading: Set<String> = [
        "autotag", "autotag-batch", "backup", "check-updates", "feed-discover", "feed-title", "grammar",
        "kokoro-preload",
        "log", "pick-folder", "reimport-all", "reprocess", "restore", "reveal-folder", "review", "site-logins",
        "summarize",
        "tts",
    ]

    /// Nil for a path that is not the viewer's.
    ///
    /// - Parameter segments: of the path, percent-decoded.
    init?(_ segments: [String], _ request: Request) {
        guard let methods = Self.methods(segments) else { return nil }
        let method = request.method == "HEAD" ? "GET" : request.method
        // wallabag's route, which answers both.
        if segments == ["api", "config"], method == "GET" { return nil }
        self = methods[method] ?? .refused
        let hasToken = request.headers["authorization"] != nil
        if self == .save, !hasToken, PullReadCookie.token(in: request.headers) != nil { self = .refused }
    }

    /// Whether a path is the viewer's.
    static func contains(_ segments: [String]) -> Bool { methods(segments) != nil }

    private static func methods(_ segments: [String]) -> [String: PullReadRoute]? {
        guard segments.count >= 2 else { return nil }
        if segments[0] == "favicons" {
            return segments.count == 2 ? domain(ofIcon: segments[1]).map { ["GET": .favicon(domain: $0)] } : nil
        }
        guard segments[0] == "api" else { return nil }
        if segments.count == 2, let methods = own[segments[1]] { return methods }
        return beyondReading.contains(segments[1]) && (segments.count == 2 || segments[1] == "tts") ? [:] : nil
    }

    private static let own: [String: [String: PullReadRoute]] = [
        "files": ["GET": .files], "file": ["GET": .file], "files-changed": ["GET": .filesChanged],
        "highlights": ["GET": .highlights], "notes": ["GET": .notes], "notebooks": ["GET": .notebooks],
        "config": [:], "settings": ["GET": .settings], "tts-settings": ["GET": .ttsSettings],
        "sync-status": ["GET": .syncStatus], "sync-progress": ["GET": .syncProgress], "inbox": ["GET": .inbox],
        "save": ["POST": .save], "session": ["POST": .session, "DELETE": .endSession],
    ]

    /// The domain in the name of an icon; nil for another name.
    private static func domain(ofIcon name: String) -> String? {
        guard name.hasSuffix(".png"), (5...257).contains(name.utf8.count) else { return nil }
        let domain = String(name.dropLast(4)).lowercased()
        let isName = domain.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        return isName ? domain : nil
    }
}
