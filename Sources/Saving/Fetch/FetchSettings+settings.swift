import HTTPFetch
import Settings

extension FetchSettings {
    /// The settings that concern fetching.
    public init(_ settings: Settings) throws(Settings.Invalid) {
        self.init()
        do {
            rules = AddressRules(allowing: try AllowList(settings.text("FETCH_ALLOW")))
        } catch {
            throw Settings.Invalid(problems: ["LECTERN_FETCH_ALLOW: \(error)"])
        }
        limits.totalTime = .seconds(settings.number("FETCH_TIMEOUT"))
        limits.timeWithoutProgress = .seconds(settings.number("FETCH_STALL_TIMEOUT"))
        limits.compressedBytes = settings.number("FETCH_COMPRESSED_LIMIT")
        limits.inflatedBytes = settings.number("FETCH_INFLATED_LIMIT")
        limits.headerBytes = settings.number("FETCH_HEADER_LIMIT")
        limits.hops = settings.number("FETCH_HOPS")
        wanted = [.html, .text, .markdown, .pdf]
        proxy = settings.text("FETCH_PROXY").isEmpty ? nil : settings.text("FETCH_PROXY")
        proxyResolution = settings.text("FETCH_PROXY_RESOLVES") == "on" ? .proxy : .own
        userAgent =
            settings.text("USER_AGENT").isEmpty
            ? "Lectern/1.0 (+\(settings.text("PUBLIC_URL")))" : settings.text("USER_AGENT")
    }

    /// Rules that the table of settings does not express.
    static let settingRules: Settings.Rules = [
        "FETCH_ALLOW": { text in
            do throws(AllowList.Malformed) {
                _ = try AllowList(text)
                return nil
            } catch { return "must be a comma-separated list of targets: \(error)" }
        },
        "FETCH_PROXY": proxyError(in:),
        "USER_AGENT": { text in
            text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f }
                ? "must not contain a control character" : nil
        },
    ]

    /// The proxy types that libcurl supports.
    private static let proxySchemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

    /// The error in the URL of a proxy, or nil. libcurl would report it for every fetch. The value is not repeated,
    /// since it may contain a password.
    private static func proxyError(in text: String) -> String? {
        if text.isEmpty { return nil }
        let malformed = "must be a URL such as http://proxy.example:3128 (\(proxySchemes.joined(separator: ", ")))"
        guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7f }),
            let colon = text.firstIndex(of: ":"), proxySchemes.contains(text[..<colon].lowercased()),
            text[colon...].hasPrefix("://")
        else { return malformed }
        let authority = text[colon...].dropFirst(3).prefix { $0 != "/" }
        let place = authority[(authority.lastIndex(of: "@").map(authority.index(after:)) ?? authority.startIndex)...]
        let afterHost = place.hasPrefix("[") ? place.drop { $0 != "]" }.dropFirst() : place.drop { $0 != ":" }
        guard afterHost.startIndex > place.startIndex else { return malformed }
        guard afterHost.isEmpty || (afterHost.hasPrefix(":") && UInt16(afterHost.dropFirst()).map { $0 > 0 } == true)
        else { return malformed }
        return nil
    }
}

extension HostRateLimiter {
    /// The settings of the rate limit.
    convenience init(_ settings: Settings) {
        let isLimited = settings.text("RATE_LIMITS") == "on"
        self.init(
            parallel: isLimited ? settings.number("FETCH_HOST_PARALLEL") : .max,
            pause: isLimited ? .milliseconds(settings.number("FETCH_HOST_PAUSE")) : .zero,
            burst: settings.number("FETCH_HOST_BURST"))
    }
}
