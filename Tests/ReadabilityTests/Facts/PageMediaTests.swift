import Testing

@testable import Readability

@Suite("Readability / audio and video of a page")
struct PageMediaTests {
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
}
