import JSON

/// The entries of JSON exports.
enum JSONFormats {
    /// wallabag 2: also content and annotations.
    static func wallabag(_ json: JSON, now: Int) -> ImportedEntry {
        var entry = entry(json.text("url", "given_url"), json.text("title"))
        entry.time = json.time("created_at", now: now)
        entry.isRead = json.isSet("is_archived") || json.text("status") == "read"
        entry.isStarred = json.isSet("is_starred", "is_favorite")
        entry.tags = json.names("tags")
        (entry.lang, entry.image) = (json.text("language"), json.text("preview_picture"))
        entry.byline = json["published_by"]?.array?.compactMap(\.string).filter { !$0.isEmpty }.joined(separator: ", ")
        entry.published = json.time("published_at", now: now)
        entry.html = json.text("content").flatMap { $0.contains("wallabag can't retrieve contents") ? nil : $0 }
        for annotation in json.objects("annotations") {
            guard let quote = annotation.text("quote") else { continue }
            entry.passages.append(
                .init(quote: quote, note: annotation.text("text"), time: annotation.time("created_at", now: now)))
        }
        return entry
    }

    /// Pinboard's `posts/all`: a note in `extended`, tags with blanks between them.
    static func pinboard(_ json: JSON, now: Int) -> ImportedEntry {
        var entry = entry(json.text("href", "url"), json.text("description"))
        entry.description = json.text("extended").map(Entities.decoded)
        entry.time = json.time("time", now: now)
        entry.isRead = json.text("toread")?.lowercased() == "no"
        entry.tags = TagList.read(json.text("tags"), separatedBy: " ")
        return entry
    }

    /// linkding's API: a list or its pages.
    static func linkding(_ json: JSON, now: Int) -> ImportedEntry {
        var entry = entry(json.text("url"), json.text("title", "website_title"))
        entry.description = json.text("description", "website_description")
        entry.note = json.text("notes")
        entry.time = json.time("date_added", now: now)
        entry.isRead = json.isSet("is_archived") || json["unread"] == .bool(false)
        entry.tags = json.names("tag_names", "tags")
        return entry
    }

    /// Raindrop's API.
    static func raindrop(_ json: JSON, now: Int) -> ImportedEntry {
        var entry = entry(json.text("link", "url"), json.text("title"))
        (entry.description, entry.note) = (json.text("excerpt"), json.text("note"))
        entry.time = json.time("created", now: now)
        entry.isStarred = json.isSet("important")
        (entry.tags, entry.image) = (json.names("tags"), json.text("cover"))
        for highlight in json.objects("highlights") {
            guard let quote = highlight.text("text") else { continue }
            entry.passages.append(
                .init(
                    quote: quote, note: highlight.text("note"), time: highlight.time("created", now: now),
                    color: highlight.text("color")))
        }
        return entry
    }

    /// karakeep: links; its notes and files have no address.
    ///
    /// - Parameter lists: the names of lists by their ids, from the outermost on.
    static func karakeep(_ json: JSON, lists: [String: [String]], now: Int) -> ImportedEntry {
        let content = json["content"]
        var entry = entry(content?.text("url", "sourceUrl"), json.text("title") ?? content?.text("title"))
        entry.description = content?.text("description")
        entry.note = json.text("note")
        entry.time = json.time("createdAt", now: now)
        entry.isRead = json.isSet("archived")
        entry.isStarred = json.isSet("favourited", "favorited")
        entry.tags = json.names("tags")
        entry.html = content?.text("htmlContent")
        let ids = (json["lists"]?.array ?? []).compactMap { $0.string ?? $0.text("id") }
        entry.collections = ids.compactMap { lists[$0] }
        for highlight in json.objects("highlights") {
            guard let quote = highlight.text("text") else { continue }
            entry.passages.append(
                .init(
                    quote: quote, note: highlight.text("note"), time: highlight.time("createdAt", now: now),
                    color: highlight.text("color")))
        }
        if entry.url == nil, let type = content?.text("type"), type != "link" {
            entry.problem = "This is a \(type == "text" ? "note" : "file") of karakeep, not a link."
        }
        return entry
    }

    /// Omnivore's `metadata_*.json`. Content and highlights are in files of their own, named by the slug.
    static func omnivore(_ json: JSON, now: Int) -> ImportedEntry {
        var entry = entry(json.text("url"), json.text("title"))
        entry.description = json.text("description")
        (entry.byline, entry.image) = (json.text("author"), json.text("thumbnail"))
        entry.time = json.time("savedAt", now: now)
        entry.published = json.time("publishedAt", now: now)
        entry.isRead = json.text("state")?.lowercased() == "archived"
        entry.tags = json.names("labels")
        return entry
    }

    /// Linkwarden: one link of a collection.
    static func linkwarden(_ json: JSON, now: Int) -> ImportedEntry {
        var entry = entry(json.text("url"), json.text("name", "title"))
        entry.description = json.text("description")
        entry.time = json.time("importDate", "createdAt", now: now)
        entry.tags = json.names("tags")
        entry.isStarred = !(json["pinnedBy"]?.array ?? []).isEmpty
        for highlight in json.objects("highlight") + json.objects("highlights") {
            guard let quote = highlight.text("text") else { continue }
            entry.passages.append(
                .init(
                    quote: quote, note: highlight.text("comment"), time: highlight.time("createdAt", now: now),
                    color: highlight.text("color")))
        }
        return entry
    }

    /// A list of objects of Lectern's own export, or of unknown origin, with an address in each.
    static func own(_ json: JSON, now: Int) -> ImportedEntry {
        var entry = ImportedEntry(url: json.text("saved_url", "raw_url", "url", "href", "link")?.trimmed)
        entry.isExact = json["raw_url"] != nil || json["saved_url"] != nil
        if let saved = json["saved_url"]?.string, json["starred"] != nil, json["highlights"] != nil {
            (entry.url, entry.takesAnyAddress) = (saved, true)
        }
        entry.title = json.text("title", "name").map { entry.isExact ? $0 : Entities.decoded($0) }
        entry.description = json.text("description")
        entry.time = json.time("created_at", "created", "date", now: now)
        entry.isArchived = json.text("list") == "archive"
        entry.isRead = json.text("status") == "read"
        entry.isStarred = json.isSet("is_starred", "starred")
        entry.tags = json.names("tags")
        entry.note = json.text("note", "notes") ?? json["note"]?.text("body")
        entry.collections =
            json["collection_paths"]?.array.map { paths in paths.compactMap { $0.array?.compactMap(\.string) } }
            ?? json.names("collections").map(CollectionPath.read)
        (entry.lang, entry.byline) = (json.text("lang"), json.text("byline", "author"))
        (entry.siteName, entry.image) = (json.text("site_name", "site"), json.text("image"))
        entry.direction = json.text("dir")
        entry.published = json.time("published_at", "published", now: now)
        entry.html = json.text("content") ?? json["article"]?.text("content")
        for highlight in json.objects("highlights") {
            guard let quote = highlight.text("quote", "text") else { continue }
            entry.passages.append(
                .init(
                    quote: quote, note: highlight.text("note"), time: highlight.time("created_at", now: now),
                    color: highlight.text("color")))
        }
        return entry
    }

    /// Pocket's annotations of one page: they add to a row of the table.
    static func pocketAnnotations(_ json: JSON, now: Int) -> ImportedEntry {
        var entry = ImportedEntry(url: json.text("url")?.trimmed)
        entry.isAddition = true
        for highlight in json.objects("highlights") {
            guard let quote = highlight.text("quote") else { continue }
            entry.passages.append(
                .init(quote: quote, note: highlight.text("note"), time: highlight.time("created_at", now: now)))
        }
        return entry
    }

    private static func entry(_ url: String?, _ title: String?) -> ImportedEntry {
        let url = url?.trimmed
        return ImportedEntry(url: url, title: title?.trimmed == url ? nil : title.map(Entities.decoded))
    }
}
