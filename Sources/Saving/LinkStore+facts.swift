import Postgres
import Readability

extension LinkStore {
    /// What a page is and says of itself: assignments to columns of its link. What is there stays, but what the article is
    /// gives way to a newer one; the enclosure is one thing in three columns.
    func facts(of reading: ExtractedPage, _ outcome: SaveOutcome) -> SQL {
        // What the article is, the page tells that it was made from.
        let kind = outcome.stored?.reading.kind?.rawValue
        let readingTime = outcome.stored?.reading.article?.readingTime
        let enclosure = reading.enclosure
        return """
            kind = coalesce(\(kind), kind, \(reading.kind?.rawValue)),
            byline = coalesce(byline, \(reading.byline)),
            published_at = coalesce(published_at, \(reading.publishedAt)::timestamptz),
            reading_time = coalesce(\(readingTime)::int, reading_time),
            icon = coalesce(icon, \(reading.icon)),
            enclosure_url = coalesce(enclosure_url, \(enclosure?.url)),
            enclosure_type = case when enclosure_url is null then \(enclosure?.type) else enclosure_type end,
            enclosure_duration = case when enclosure_url is null then \(enclosure?.duration)::int else enclosure_duration end
            """
    }
}
