import HTML
import Links

/// Maps the URL of an embedded player or post to the URL of its public page.
///
/// The list holds providers whose frame URLs are useless outside another page. It does not hold sites of articles, and
/// no extraction rule depends on it. Frames of other providers are linked by their own URL.
struct EmbedProvider {
    /// The host; its subdomains match too.
    let host: String
    /// The path and query of the frame; `{name}` matches one component.
    let frame: String
    /// The URL of the public page.
    let page: String
    /// The URL of the preview picture, if it can be built from the same components.
    var thumbnail: String?

    /// Source: each provider's own page on embedding, as of 2026-11.
    static let all = [
        EmbedProvider(
            host: "youtube.com", frame: "/embed/videoseries?list={id}",
            page: "https://www.youtube.com/playlist?list={id}"),
        EmbedProvider(
            host: "youtube.com", frame: "/embed/{id}", page: "https://www.youtube.com/watch?v={id}",
            thumbnail: "https://i.ytimg.com/vi/{id}/hqdefault.jpg"),
        EmbedProvider(
            host: "youtube-nocookie.com", frame: "/embed/{id}", page: "https://www.youtube.com/watch?v={id}",
            thumbnail: "https://i.ytimg.com/vi/{id}/hqdefault.jpg"),
        EmbedProvider(
            host: "youtube.com", frame: "/v/{id}", page: "https://www.youtube.com/watch?v={id}",
            thumbnail: "https://i.ytimg.com/vi/{id}/hqdefault.jpg"),
        EmbedProvider(host: "player.vimeo.com", frame: "/video/{id}", page: "https://vimeo.com/{id}"),
        EmbedProvider(
            host: "dailymotion.com", frame: "/embed/video/{id}", page: "https://www.dailymotion.com/video/{id}",
            thumbnail: "https://www.dailymotion.com/thumbnail/video/{id}"),
        EmbedProvider(
            host: "geo.dailymotion.com", frame: "/player.html?video={id}",
            page: "https://www.dailymotion.com/video/{id}",
            thumbnail: "https://www.dailymotion.com/thumbnail/video/{id}"),
        EmbedProvider(host: "player.twitch.tv", frame: "/?video={id}", page: "https://www.twitch.tv/videos/{id}"),
        EmbedProvider(host: "player.twitch.tv", frame: "/?channel={id}", page: "https://www.twitch.tv/{id}"),
        EmbedProvider(host: "clips.twitch.tv", frame: "/embed?clip={id}", page: "https://clips.twitch.tv/{id}"),
        EmbedProvider(
            host: "player.bilibili.com", frame: "/player.html?bvid={id}", page: "https://www.bilibili.com/video/{id}"),
        EmbedProvider(
            host: "player.bilibili.com", frame: "/player.html?aid={id}", page: "https://www.bilibili.com/video/av{id}"),
        EmbedProvider(
            host: "v.qq.com", frame: "/txp/iframe/player.html?vid={id}", page: "https://v.qq.com/x/page/{id}.html"),
        EmbedProvider(host: "rutube.ru", frame: "/play/embed/{id}", page: "https://rutube.ru/video/{id}/"),
        EmbedProvider(host: "archive.org", frame: "/embed/{id}", page: "https://archive.org/details/{id}"),
        EmbedProvider(host: "embed.ted.com", frame: "/talks/{id}", page: "https://www.ted.com/talks/{id}"),
        EmbedProvider(host: "loom.com", frame: "/embed/{id}", page: "https://www.loom.com/share/{id}"),
        EmbedProvider(host: "streamable.com", frame: "/e/{id}", page: "https://streamable.com/{id}"),
        EmbedProvider(host: "tiktok.com", frame: "/embed/{id}", page: "https://www.tiktok.com/@_/video/{id}"),
        EmbedProvider(host: "tiktok.com", frame: "/embed/v2/{id}", page: "https://www.tiktok.com/@_/video/{id}"),
        EmbedProvider(
            host: "open.spotify.com", frame: "/embed/{kind}/{id}", page: "https://open.spotify.com/{kind}/{id}"),
        EmbedProvider(
            host: "open.spotify.com", frame: "/embed-podcast/{kind}/{id}",
            page: "https://open.spotify.com/{kind}/{id}"),
        EmbedProvider(
            host: "widget.deezer.com", frame: "/widget/{look}/{kind}/{id}", page: "https://www.deezer.com/{kind}/{id}"),
        EmbedProvider(
            host: "platform.twitter.com", frame: "/embed/Tweet.html?id={id}",
            page: "https://twitter.com/i/status/{id}"),
        EmbedProvider(
            host: "embed.bsky.app", frame: "/embed/{did}/app.bsky.feed.post/{id}",
            page: "https://bsky.app/profile/{did}/post/{id}"),
        EmbedProvider(host: "codepen.io", frame: "/{user}/embed/{id}", page: "https://codepen.io/{user}/pen/{id}"),
        EmbedProvider(
            host: "codepen.io", frame: "/{user}/embed/preview/{id}", page: "https://codepen.io/{user}/pen/{id}"),
        EmbedProvider(host: "codesandbox.io", frame: "/embed/{id}", page: "https://codesandbox.io/s/{id}"),
        EmbedProvider(host: "jsfiddle.net", frame: "/{user}/{id}/embedded", page: "https://jsfiddle.net/{user}/{id}/"),
        EmbedProvider(host: "gist.github.com", frame: "/{user}/{id}.js", page: "https://gist.github.com/{user}/{id}"),
        EmbedProvider(host: "gist.github.com", frame: "/{id}.js", page: "https://gist.github.com/{id}"),
        EmbedProvider(host: "asciinema.org", frame: "/a/{id}.js", page: "https://asciinema.org/a/{id}"),
    ]

    /// Returns the URLs of the public page and its preview picture; nil if the URL is not a frame of a known provider.
    static func resolve(
        _ address: WebAddress, among providers: [EmbedProvider] = all
    ) -> (page: String, thumbnail: String?)? {
        guard let name = address.hostName else { return nil }
        for provider in providers where provider.isHost(name) {
            if let found = provider.resolve(address) { return found }
        }
        return nil
    }

    private func resolve(_ address: WebAddress) -> (page: String, thumbnail: String?)? {
        let parts = frame.split(separator: "?", maxSplits: 1)
        var found: [String: String] = [:]
        let wanted = parts[0].split(separator: "/")
        let written = address.pathText.split(separator: "/").prefix(20)
        guard wanted.count == written.count, zip(wanted, written).allSatisfy({ Self.match($0, $1, &found) }) else {
            return nil
        }
        if parts.count > 1 {
            let pair = parts[1].split(separator: "=", maxSplits: 1)
            let value = EmbedAddress.query(address, String(pair[0]))
            guard pair.count == 2, let value, Self.match(pair[1], value[...], &found) else { return nil }
        }
        return (Self.fill(page, found), thumbnail.map { Self.fill($0, found) })
    }

    /// Whether a name is the host, or a host below it.
    private func isHost(_ name: String) -> Bool {
        guard name.hasSuffix(host) else { return false }
        return name == host || name.utf8.dropLast(host.utf8.count).last == UInt8(ascii: ".")
    }

    /// Whether a component of a URL matches the pattern; records the value of its placeholder.
    private static func match(_ pattern: Substring, _ written: Substring, _ found: inout [String: String]) -> Bool {
        guard let open = pattern.firstIndex(of: "{"), let close = pattern.firstIndex(of: "}") else {
            return pattern == written
        }
        let ending = pattern[pattern.index(after: close)...]
        guard open == pattern.startIndex, written.hasSuffix(ending), written.utf8.count > ending.utf8.count else {
            return false
        }
        let value = written.dropLast(ending.count)
        guard value.utf8.count <= 200, value.utf8.allSatisfy({ isWordCharacter($0) || "-.:%@".utf8.contains($0) })
        else { return false }
        found[String(pattern[pattern.index(after: open)..<close])] = String(value)
        return true
    }

    private static func fill(_ template: String, _ found: [String: String]) -> String {
        var output = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{"), let close = rest.firstIndex(of: "}") {
            output += rest[..<open]
            output += found[String(rest[rest.index(after: open)..<close])] ?? ""
            rest = rest[rest.index(after: close)...]
        }
        return output + rest
    }
}
