import Postgres
import Readability

extension LinkStore {
    /// Assignments of a page's facts to columns of its link. Existing values stay, except the kind and the reading
    /// time, which belong to the article and change with it. The enclosure is one value in three columns.
    func facts(of page: ExtractedPage, _ outcome: SaveOutcome) -> SQL {
        // The kind of the article is that of the page it was extracted from.
        let kind = outcome.stored?.kind?.rawValue
        let readingTime = outcome.stored?.article?.readingTime
        let enclosure = page.enclosure
        return """
            kind = coalesce(\(kind), kind, \(page.kind?.rawValue)),
            byline = coalesce(byline, \(page.byline)),
            published_at = coalesce(published_at, \(page.publishedAt)::timestamptz),
            reading_time = coalesce(\(readingTime)::int, reading_time),
            icon = coalesce(icon, \(page.icon)),
            enclosure_url = coalesce(enclosure_url, \(enclosure?.url)),
            enclosure_type = case when enclosure_url is null then \(enclosure?.type) else enclosure_type end,
            enclosure_duration = case
                when enclosure_url is null then \(enclosure?.duration)::int else enclosure_duration end
            """
    }
}
