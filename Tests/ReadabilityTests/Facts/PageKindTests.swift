import Testing

@testable import Readability

@Suite("Readability / kinds of pages")
struct PageKindTests {
    @Test("the kind of a page follows from its main content")
    func kinds() throws {
        func kind(_ page: String, words: Int?) throws -> PageKind { PageKind(try readFacts(page), words: words) }
        #expect(try kind("<p>x", words: 400) == .article)
        #expect(try kind("<p>x", words: nil) == .other)
        #expect(
            try kind("<meta property=og:type content=video.other><meta property=og:video content=/p>", words: 40)
                == .video)
        #expect(try kind("<meta property=og:type content=article><video src=/v.mp4></video>", words: 900) == .article)
        let film =
            #"<script type="application/ld+json">{"@type":"VideoObject","name":"A film","contentUrl":"/v.mp4"}</script>"#
        #expect(try kind(film, words: 900) == .video)
        #expect(try kind("<meta property=og:type content=article>\(film)", words: 900) == .article)
        #expect(try kind("<meta property=og:type content=article>\(film)", words: 100) == .video)
        #expect(
            try kind(#"<script type="application/ld+json">{"@type":"PodcastEpisode","name":"E"}</script>"#, words: 900)
                == .audio)
        #expect(
            try kind(
                #"<script type="application/ld+json">{"@type":"NewsArticle","headline":"E"}</script><audio src=/read-aloud.mp3></audio>"#,
                words: 500) == .article)
    }

    @Test("the kind of a file follows from its media type")
    func files() {
        #expect(PageKind(contentType: "application/pdf") == .pdf)
        #expect(PageKind(contentType: "image/png; x=y") == .image)
        #expect(PageKind(contentType: "text/html; charset=utf-8") == nil)
        #expect(PageKind(contentType: "application/zip") == .other)
    }
}
