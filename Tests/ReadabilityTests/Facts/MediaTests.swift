import Testing

@testable import Readability

@Suite("Readability / audio, video and pictures of a page")
struct MediaTests {
    @Test(
        "an enclosure is found in every place where a page can declare it",
        arguments: [
            ("<meta property=og:audio content=/a.mp3>", "https://www.tidewater.example/a.mp3", "audio/mpeg", nil),
            (
                "<meta property=og:video content=/v.mp4><meta property=og:video:type content=video/mp4><meta property=video:duration content=90>",
                "https://www.tidewater.example/v.mp4", "video/mp4", 90
            ),
            (
                "<link rel=enclosure href=/a.ogg type=audio/ogg>", "https://www.tidewater.example/a.ogg", "audio/ogg",
                nil
            ),
            ("<audio controls src=/a.m4a></audio>", "https://www.tidewater.example/a.m4a", "audio/mp4", nil),
            (
                "<video><source src=/v.webm type='video/webm; codecs=vp9'></video>",
                "https://www.tidewater.example/v.webm", "video/webm", nil
            ),
            (
                #"<script type="application/ld+json">{"@type":"PodcastEpisode","associatedMedia":{"@type":"MediaObject","contentUrl":"https://cdn.example/e.mp3","duration":"PT1H2M3S"}}</script>"#,
                "https://cdn.example/e.mp3", "audio/mpeg", 3_723
            ),
            (
                #"<script type="application/ld+json">{"@type":"VideoObject","contentUrl":"https://cdn.example/stream?id=1","duration":"PT90S"}</script>"#,
                "https://cdn.example/stream?id=1", nil, 90
            ),
        ] as [(String, String, String?, Int?)])
    func enclosure(page: String, url: String, type: String?, duration: Int?) throws {
        #expect(try readFacts(page).enclosure == Enclosure(url: url, type: type, duration: duration))
    }

    @Test(
        "players, pictures and URLs with other schemes are not enclosures",
        arguments: [
            "<meta property=og:video content=/player.html><meta property=og:video:type content=text/html>",
            "<link rel=enclosure href='javascript:a.mp3'>",
            "<picture><source srcset=a.webp src=a.webm></picture>", "<audio src='data:audio/mpeg;base64,AAAA'></audio>",
            "<audio></audio>",
        ])
    func none(page: String) throws { #expect(try readFacts(page).enclosure == nil) }

    @Test(
        "durations are parsed as seconds",
        arguments: [
            ("PT1M30S", 90), ("P0DT1H", 3_600), ("1:02:03", 3_723), ("02:03", 123), ("90", 90), ("PT90.4S", 90),
            ("", nil), ("PT", nil), ("P1Y", nil), ("-5", nil), ("1e99", nil), ("nan", nil),
            ("PT99999999999999999999H", nil),
        ] as [(String, Int?)])
    func durations(written: String, seconds: Int?) { #expect(Enclosure.seconds(written) == seconds) }

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
        #expect(PageKind(contentType: "application/pdf") == .pdf)
        #expect(PageKind(contentType: "image/png; x=y") == .image)
        #expect(PageKind(contentType: "text/html; charset=utf-8") == nil)
        #expect(PageKind(contentType: "application/zip") == .other)
    }

    @Test("a logo is the preview picture only if there is no other picture")
    func picture() {
        let logo = "https://cdn.example/assets/site-logo.png"
        #expect(PreviewPicture.choose([logo, "https://cdn.example/a.jpg"], logo: nil) == "https://cdn.example/a.jpg")
        #expect(
            PreviewPicture.choose(
                ["https://cdn.example/x.png", "https://cdn.example/a.jpg"], logo: "https://cdn.example/x.png")
                == "https://cdn.example/a.jpg")
        #expect(
            PreviewPicture.choose([logo], logo: nil, inArticle: "https://cdn.example/b.jpg")
                == "https://cdn.example/b.jpg")
        #expect(PreviewPicture.choose([logo], logo: nil) == logo)
        #expect(PreviewPicture.choose([], logo: nil) == nil)
    }

    @Test("the largest useful icon is chosen")
    func icon() throws {
        let icons =
            "<link rel='shortcut icon' href=/16.ico sizes=16x16><link rel=icon href=/96.png sizes='48x48 96x96'><link rel=mask-icon href=/m.svg>"
        #expect(try readFacts(icons).icon == "https://www.tidewater.example/96.png")
        #expect(
            try readFacts(icons + "<link rel=apple-touch-icon href=/t.png>").icon
                == "https://www.tidewater.example/t.png")
        #expect(try readFacts("<link rel=icon href=/i.svg>").icon == "https://www.tidewater.example/i.svg")
        #expect(try readFacts("<link rel=icon href='data:,' sizes=99999999999999999999x1>").icon == nil)
    }

    @Test("reading takes one minute per 200 words or 500 ideographs, and at least one minute")
    func readingTime() {
        #expect(ReadingTime.minutes(of: "word") == 1)
        #expect(ReadingTime.minutes(of: String(repeating: "word ", count: 201)) == 2)
        #expect(ReadingTime.minutes(of: String(repeating: "灯", count: 1_000)) == 2)
        #expect(ReadingTime.minutes(of: String(repeating: "ก", count: 1_800)) == 3)
        #expect(ReadingTime.minutes(of: " \n") == nil)
    }
}
