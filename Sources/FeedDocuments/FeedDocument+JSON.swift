import JSON

/// JSON Feed 1.0 and 1.1 (https://www.jsonfeed.org/version/1.1/).
extension FeedDocument {
    /// - Returns: nil where the object is not a feed.
    init?(json: JSON, url: String, now: Int) {
        guard json["version"]?.string?.contains("jsonfeed.org") == true, let items = json["items"]?.array else {
            return nil
        }
        self.init()
        title = json["title"]?.string.flatMap { FeedText.line($0, limit: 1_000) }
        siteURL = json["home_page_url"]?.string.flatMap { EntryDraft.address($0, base: url) }
        let language = json["language"]?.string
        entries = items.prefix(Self.maxEntries).compactMap { item in
            var draft = Self.draft(item, base: siteURL ?? url)
            draft.language = draft.language ?? language
            return draft.entry(now: now)
        }
    }

    private static func draft(_ item: JSON, base: String) -> EntryDraft {
        var draft = EntryDraft()
        draft.base = base
        draft.id = item["id"]?.string
        if draft.id == nil, case .number(let number)? = item["id"] {
            draft.id = Int(exactly: number).map(String.init) ?? String(number)
        }
        draft.urls = [item["url"], item["external_url"]].compactMap { $0?.string }
        draft.title = item["title"]?.string
        let authors = item["authors"]?.array ?? item["author"].map { [$0] } ?? []
        let names = authors.prefix(10).compactMap { $0["name"]?.string }
        draft.author = names.isEmpty ? nil : names.joined(separator: ", ")
        draft.language = item["language"]?.string
        draft.dates = [item["date_published"], item["date_modified"]].compactMap { $0?.string }
        draft.categories = item["tags"]?.array?.compactMap(\.string) ?? []
        draft.summary = item["summary"]?.string.map(FeedText.html)
        draft.content = item["content_html"]?.string ?? item["content_text"]?.string.map(FeedText.html)
        let files = item["attachments"]?.array ?? []
        draft.enclosure =
            files.lazy.compactMap { file in
                guard let url = file["url"]?.string, let type = file["mime_type"]?.string, isMedium(type) else {
                    return nil
                }
                var enclosure = Enclosure(url: url, type: type)
                if case .number(let seconds)? = file["duration_in_seconds"], (1...604_800).contains(seconds) {
                    enclosure.duration = Int(seconds)
                }
                return enclosure
            }.first
        return draft
    }

    /// Whether a file is one to listen to or to watch.
    static func isMedium(_ type: String) -> Bool {
        let type = type.lowercased()
        return type.hasPrefix("audio/") || type.hasPrefix("video/")
    }
}
