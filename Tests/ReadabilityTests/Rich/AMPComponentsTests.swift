import HTML
import Testing

@testable import Readability

@Suite("Readability / AMP components")
struct AMPComponentsTests {
    @Test("AMP components become the pictures and players they represent", arguments: ["amp", "⚡"])
    func amp(mark: String) throws {
        let inside = """
            <amp-img src=a.jpg srcset='a.jpg 640w, b.jpg 1280w' width=640 height=480 layout=responsive alt=Cat><amp-img placeholder src=tiny.jpg></amp-img><noscript><img src=a.jpg></noscript></amp-img>
            <amp-youtube data-videoid=abc width=480 height=270></amp-youtube><amp-iframe src='https://charts.example/embed/x' width=500 height=300><p placeholder>wait</p></amp-iframe>
            <amp-twitter data-tweetid=7><blockquote placeholder>So it goes.</blockquote></amp-twitter><amp-facebook data-href='https://www.facebook.com/me/posts/1?a=b&amp;c=d'></amp-facebook>
            <amp-iframe src='https://unknown.example/x'><amp-img placeholder src=chart.png width=600 height=400></amp-img></amp-iframe>
            <amp-video poster=p.jpg><source src=film.mp4></amp-video><amp-ad type=x src=//ads.example/x></amp-ad>
            """
        let html =
            "<html \(mark)><body><div class=article>\(paragraph)\(paragraph)\(inside)\(paragraph)</div></body></html>"
        let found = try #require(
            Extraction().article(in: Document(parsing: html), url: "http://host.example/dir/")?.content)
        #expect(found.components(of: "<img ") == 4)
        for address in [
            "/dir/b.jpg", "www.youtube.com/watch?v=abc", "charts.example/embed/x", "/dir/film.mp4", "/dir/p.jpg",
            "So it goes.", "/i/status/7", "facebook.com/me/posts/1?a=b", "/dir/chart.png",
        ] { #expect(found.contains(address), "\(address)") }
        for none in ["tiny.jpg", "wait", "ads.example", "<amp"] { #expect(!found.contains(none), "\(none)") }
    }
}
