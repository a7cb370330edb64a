import HTML
import Testing

@testable import Readability

@Suite("Readability / embeds")
struct EmbedsTests {
    @Test(
        "a frame becomes a link to its public page",
        arguments: [
            ("https://www.youtube.com/embed/abc_-1?rel=0", "https://www.youtube.com/watch?v=abc_-1"),
            ("//www.youtube-nocookie.com/embed/abc", "https://www.youtube.com/watch?v=abc"),
            ("https://www.youtube.com/embed/videoseries?list=PL1", "https://www.youtube.com/playlist?list=PL1"),
            ("https://player.vimeo.com/video/123?h=x", "https://vimeo.com/123"),
            ("https://tube.example/videos/embed/9c-1", "https://tube.example/videos/watch/9c-1"),
            ("https://social.example/@me/112/embed", "https://social.example/@me/112"),
            (
                "https://www.facebook.com/plugins/post.php?href=https%3A%2F%2Fwww.facebook.com%2Fa%2Fposts%2F1&width=500",
                "https://www.facebook.com/a/posts/1"
            ),
            ("https://open.spotify.com/embed/episode/4x", "https://open.spotify.com/episode/4x"),
            ("https://codepen.io/me/embed/preview/xYz?height=300", "https://codepen.io/me/pen/xYz"),
            ("https://player.bilibili.com/player.html?aid=1&bvid=BV1x", "https://www.bilibili.com/video/BV1x"),
            ("https://charts.example/embed/x", "https://charts.example/embed/x"),
        ])
    func pages(frame: String, page: String) throws {
        let found = try RichPage(
            "<div class='video-wrapper'><iframe src='\(frame)' width=560 height=315></iframe></div>")
        #expect(found.links.contains(page.replacing("&", with: "&amp;")))
        #expect(!found.content.contains("<iframe"))
    }

    @Test("a card has the frame's title and picture and does not count as article text")
    func card() throws {
        let page = try RichPage("<p><iframe src='https://www.youtube.com/embed/abc' title='Cats at sea'></iframe></p>")
        #expect(
            page.content.contains(
                ##"<a href="https://www.youtube.com/watch?v=abc" rel="noopener noreferrer">▶ Cats at sea</a></figcaption>"##
            ))
        #expect(page.pictures == ["https://i.ytimg.com/vi/abc/hqdefault.jpg"])
        #expect(!page.text.contains("Cats at sea"))
    }

    @Test(
        "frames for ads, tracking, buttons and consent are removed",
        arguments: [
            "src='https://ads.example/frame'", "src='https://x.example/like.php?href=http%3A%2F%2Fa' class=like",
            "src='https://x.example/a' width=1 height=1",
            "src='https://x.example/embed' style='display:none'", "src='about:blank' class=video",
            "src='https://cmp.example/consent' title=Consent",
            "src='https://x.example/page'", "src='javascript:alert(1)' title=x",
        ])
    func foreign(attributes: String) throws { #expect(try RichPage("<iframe \(attributes)></iframe>").links == []) }

    @Test("video and audio elements become links, with their preview pictures")
    func players() throws {
        let page = try RichPage(
            "<video poster=p.jpg controls title=Waves><source src=v.mp4 type=video/mp4><p>Your browser cannot</p></video><audio src=a.mp3></audio>"
        )
        #expect(page.pictures == ["http://host.example/dir/p.jpg"])
        #expect(
            page.links.contains("http://host.example/dir/v.mp4") && page.links.contains("http://host.example/dir/a.mp3")
        )
        #expect(!page.content.contains("<video") && !page.content.contains("Your browser cannot"))
    }

    @Test("an embedded post keeps its text and a link to the post")
    func posts() throws {
        let page = try RichPage(
            """
            <blockquote class="twitter-tweet"><p>Words of a post</p>— Me (@me) <a href="https://twitter.com/me/status/1">1 May</a></blockquote>
            <script async src="https://platform.twitter.com/widgets.js"></script>
            <blockquote class=tiktok-embed cite=https://www.tiktok.com/@me/video/1><section>Words of a film</section></blockquote>
            """)
        #expect(page.text.contains("Words of a post") && page.text.contains("Words of a film"))
        #expect(
            page.links.contains("https://twitter.com/me/status/1")
                && page.links.contains("https://www.tiktok.com/@me/video/1"))
    }

    @Test("a script that embeds a code snippet becomes a link to the snippet")
    func scripts() throws {
        let page = try RichPage(
            "<script src='https://gist.github.com/me/0a1b.js'></script><script src='https://cdn.example/me/0a1b.js'></script>"
        )
        #expect(page.links == ["https://gist.github.com/me/0a1b"])
    }

    @Test("the number of cards is limited")
    func bounded() throws {
        let frames = (0..<400).map { "<iframe src='https://v.example/embed/\($0)'></iframe>" }.joined()
        #expect(try RichPage(frames).links.count == 300)
    }
}
