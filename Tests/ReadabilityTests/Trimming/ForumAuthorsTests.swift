import Testing

@testable import Readability

@Suite("Readability / authors in forums")
struct ForumAuthorsTests {
    private static let texts = TrimmedPage.paragraphs.map { String($0.dropFirst(3).dropLast(4)) }

    /// A thread of four posts.
    private func thread(_ post: (_ name: String, _ text: String) -> String) throws -> String {
        let posts = zip(["Ann", "Bob", "Cid", "Ann"], Self.texts).map(post).joined()
        return try #require(
            try article("<h1>The ferry</h1><div id=posts>\(posts)</div>", head: "<title>The ferry</title>", mode: .best)
        ).textContent
    }

    private func isInOrder(_ text: String, date: String = "") -> Bool {
        let lines = text.split(separator: "\n").map(String.init)
        return lines == zip(["Ann", "Bob", "Cid", "Ann"], Self.texts).flatMap { [$0 + date, $1] }
    }

    @Test("XenForo: the author stands above each post, and rank, counters and number are removed")
    func xenForo() throws {
        let text = try thread { name, text in
            """
            <article class="message message--post" data-author="\(name)"><div class="message-inner">
            <div class="message-cell message-cell--user"><section class="message-user">
            <div class="message-avatar"><a class="avatar" href="/m"><span>A</span></a></div>
            <div class="message-userDetails"><h4 class="message-name"><a href="/m" class="username">\(name)</a></h4>
            <h5 class="userTitle message-userTitle">Sailor</h5></div>
            <div class="message-userExtras"><dl><dt>Posts</dt><dd>2.206</dd></dl></div></section></div>
            <div class="message-cell message-cell--main"><div class="message-main"><header class="message-attribution">
            <ul class="message-attribution-main"><li><time>27 September 2018</time></li></ul>
            <ul class="message-attribution-opposite"><li><a href="/p">#1</a></li></ul></header>
            <div class="message-content"><article class="message-body"><div class="bbWrapper">\(text)</div></article>
            </div><div class="message-signature">Ships ahoy</div></div></div></div></article>
            """
        }
        #expect(isInOrder(text, date: ", 27 September 2018"))
    }

    @Test("vBulletin: the date above the panel belongs to it")
    func vBulletin() throws {
        let text = try thread { name, text in
            """
            <li class="postbit"><div class="posthead"><span class="postdate"><span class="date">27.09.2018</span></span>
            <span class="nodecontrols"><a href="/p">#1</a></span></div><div class="postdetails"><div class="userinfo">
            <div class="username_container"><a class="username" href="/m"><strong>\(name)</strong></a></div>
            <span class="usertitle">Sailor</span><div class="userinfo_extra"><dl><dt>Posts</dt><dd>12</dd></dl></div>
            </div><div class="postbody"><blockquote class="postcontent">\(text)</blockquote></div></div>
            <div class="postfoot"><div class="textcontrols"><div class="thanks">0</div></div></div></li>
            """
        }
        #expect(isInOrder(text, date: ", 27.09.2018"))
    }

    @Test(
        "phpBB, Simple Machines, MyBB, Discourse: the author stands above each post",
        arguments: [
            """
            <div class="post"><dl class="postprofile"><dt><a href="/m" class="username">NAME</a></dt>
            <dd class="profile-rank">Sailor</dd><dd class="profile-posts">Posts: 12</dd></dl>
            <div class="postbody"><div class="content">TEXT</div></div></div>
            """,
            """
            <div class="post_wrapper"><div class="poster"><h4><a href="/m">NAME</a></h4><ul><li>Sailor</li></ul></div>
            <div class="postarea"><div class="post">TEXT</div></div></div>
            """,
            """
            <div class="post"><div class="post_author"><strong><span class="largetext"><a href="/m">NAME</a></span></strong>
            <span class="smalltext">Sailor</span></div><div class="post_content"><div class="post_body">TEXT</div></div></div>
            """,
            """
            <div class="topic-body crawler-post"><div class="crawler-post-meta"><span class="creator" itemprop="author">
            <a href="/u"><span itemprop="name">NAME</span></a></span></div><div class="post"><p>TEXT</p></div></div>
            """,
        ])
    func others(post: String) throws {
        let text = try thread { post.replacing("NAME", with: $0).replacing("TEXT", with: $1) }
        #expect(isInOrder(text))
    }

    @Test("a single box with such a name on another page is left alone")
    func otherPage() throws {
        let page = try TrimmedPage(inside: "<div class=poster><b>Ann</b> was there, MARK, and saw it.</div>")
        #expect(page.textHasMark)
    }

    @Test("counts of votes are removed")
    func votes() throws {
        let page = try TrimmedPage(inside: "<div class=postVote><span>+17</span></div>")
        #expect(!page.article.textContent.contains("17"))
    }
}
