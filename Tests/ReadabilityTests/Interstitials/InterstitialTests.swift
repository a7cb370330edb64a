import HTML
import Readability
import Testing

@Suite("Readability / interstitials")
struct InterstitialTests {
    private func outcome(_ page: String, status: Int? = nil) throws -> ExtractionOutcome {
        Extraction().outcome(of: try Document(parsing: page), url: "https://h.example/a", status: status)
    }

    private static let sentence = "A page is kept so that it can be read later, in peace, and perhaps twice. "
    private static let paragraph = "<p>\(String(repeating: sentence, count: 5))</p>"
    private static let article = String(repeating: paragraph, count: 12)
    private static let menu =
        "<nav>\((1...12).map { "<a href=/\($0)>Section number \($0)</a>" }.joined(separator: " "))</nav>"

    private static func page(_ body: String, title: String = "The tea house", head: String = "") -> String {
        "<!doctype html><html><head><title>\(title)</title>\(head)</head><body>\(body)</body></html>"
    }

    // MARK: - Interstitials

    @Test(
        "a bot challenge is recognised by its marks, or by its phrases in any language",
        arguments: [
            page(
                "<h1>h.example</h1><p>Checking your browser before accessing the site.</p><form id=challenge-form action=/></form>",
                title: "Just a moment..."),
            page(
                "<div class=main-wrapper><h2 id=x>Enable JavaScript and cookies to continue</h2></div><script>window._cf_chl_opt={cvId:'3'}</script>",
                title: "Just a moment..."),
            page(
                "<h1>Sorry, you have been blocked</h1><p>You are unable to access this site.</p><div id=cf-error-details>Ray ID</div>",
                title: "Attention Required!"),
            page(
                "<h1>Are you a robot?</h1><p>Please verify you are human to go on.</p><div class=h-captcha></div>",
                title: "Access"),
            page("<p>Please confirm that you’re not a robot. Verify that you are human.</p>", title: "h.example"),
            page(
                "<h1>Sicherheitsüberprüfung</h1><p>Bestätigen Sie, dass Sie ein Mensch sind.</p>", title: "Einen Moment"
            ),
            page("<h1>h.example</h1><p>Подтвердите, что вы не робот</p>", title: "Доступ ограничен"),
            page("<h1>安全验证</h1><p>请完成安全验证</p>", title: "安全验证"),
            page(
                "<div id=px-captcha></div><p>Press and hold the button</p>",
                title: "Access to this page has been denied"),
            page(
                "<h1>Making sure you're not a bot!</h1><div id=anubis_challenge></div>",
                title: "Making sure you're not a bot!"),
        ])
    func challenges(page: String) throws {
        #expect(try outcome(page) == ExtractionOutcome(interstitial: .botChallenge))
    }

    @Test(
        "a page that only asks for consent is a consent wall",
        arguments: [
            page(
                "<h1>Before you continue</h1><p>We use cookies and data to deliver and maintain services, and if you agree, to improve them.</p><p>You can change your choices at any time.</p><form><button>Reject all</button><button>Accept all</button></form>",
                title: "Before you continue"),
            page(
                "<main><h2>We value your privacy</h2><p>We and our partners store and access information on a device, such as cookies, and process personal data.</p><p>With your permission we and our partners may use precise data.</p><button>Manage options</button><button>Agree</button></main>"
            ),
            page(
                "<h1>Mit Werbung weiterlesen</h1><p>Wir und unsere Partner verarbeiten Daten auf Ihrem Gerät, um Werbung zu zeigen und zu messen. Ihre Einwilligung ist freiwillig.</p><button>Akzeptieren und weiter</button>",
                title: "Zustimmung"),
            page(
                "<div class=popup><h2>Votre vie privée</h2><p>Nos partenaires et nous utilisons des cookies. Avec votre consentement, nous traitons des données personnelles pour mesurer.</p><button>Tout accepter</button></div>"
            ),
            page(
                "<div role=dialog aria-modal=true class=qc-cmp2-container><p>\(String(repeating: "We and our partners use cookies for many things. ", count: 10))</p><button>AGREE</button></div><p>Short.</p>"
            ),
        ])
    func consents(page: String) throws {
        #expect(try outcome(page) == ExtractionOutcome(interstitial: .consentWall))
    }

    @Test(
        "a sign-in page is a login wall",
        arguments: [
            page(
                "<h1>Log in</h1><form><input name=user><input type=password><button>Log in</button></form>",
                title: "Log in – The tea house"),
            page(
                "<form><label>E-Mail <input type=email></label><label>Passwort <input type=password></label><input type=submit value=Anmelden></form>",
                title: "Willkommen"),
            page("<h1>Connexion</h1><form><input type=email><button>Continuer</button></form>", title: "Connexion"),
            page("<h1>ログイン</h1><form><input><input type=password></form>", title: "ログイン"),
        ])
    func logins(page: String) throws {
        #expect(try outcome(page) == ExtractionOutcome(interstitial: .loginWall))
    }

    @Test(
        "the free beginning of an article is kept and reported as incomplete",
        arguments: [
            "<div class=paywall><h2>Subscribe to continue reading</h2><p>From one coin a month.</p></div>",
            "<p>This article is for subscribers only.</p>", "<p>Dieser Artikel ist nur für Abonnenten.</p>",
            "<p>La suite est réservée aux abonnés.</p>", "<p>Suscríbete para seguir leyendo</p>",
            "<p>Чтобы читать дальше, оформите подписку</p>", "<p>続きを読むには会員登録が必要です</p>",
        ])
    func stubs(wall: String) throws {
        let found = try outcome(
            Self.page("<article><h1>The tea house</h1>\(Self.paragraph)\(Self.paragraph)\(wall)</article>"))
        #expect(found.interstitial == .subscriptionWall)
        #expect(found.article?.textContent.contains("read later, in peace") == true)
    }

    @Test(
        "a subscription wall without text before it yields no article",
        arguments: [
            "<article><h1>The tea house</h1><p>Subscribe to continue reading this article.</p></article>",
            "<article><h1>The tea house</h1><h2>To read the full story, sign in.</h2><p>From one coin a month.</p></article>",
        ])
    func walls(body: String) throws {
        let found = try outcome(Self.page(body, head: "<meta property=og:type content=article>"))
        #expect(found.article == nil)
        #expect(found.interstitial == .subscriptionWall)
    }

    @Test(
        "a page that says it does not exist is an error page, whatever its status",
        arguments: [
            page(
                "\(menu)<h1>Page not found</h1><p>Sorry, the page you are looking for is not here.</p>",
                title: "Page not found | h.example"),
            page("<h1>404</h1><p>Nothing here.</p>", title: "h.example"),
            page("<h1>Oops!</h1><p>Something is missing.</p>", title: "404 - h.example"),
            page("<h1>Seite nicht gefunden</h1>\(menu)", title: "Fehler 404"),
            page("<h1>Página no encontrada</h1>"), page("<h1>Страница не найдена</h1>"), page("<h1>ページが見つかりません</h1>"),
            page("<h1>Error establishing a database connection</h1>", title: "Database Error"),
            page("<center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center>", title: "502 Bad Gateway"),
        ])
    func errors(page: String) throws {
        #expect(try outcome(page) == ExtractionOutcome(interstitial: .errorPage))
    }

    @Test("a list of links is an index and not an article")
    func index() throws {
        let items = (1...30).map {
            "<li><h3><a href=/\($0)>The headline of the story number \($0)</a></h3><p>What happened there in a line.</p></li>"
        }
        #expect(
            try outcome(Self.page("\(Self.menu)<main><ul>\(items.joined())</ul></main>"))
                == ExtractionOutcome(interstitial: .index))
    }

    @Test(
        "a page that scripts fill is reported as needing scripts",
        arguments: [
            page(
                "<div id=root></div><noscript>You need to enable JavaScript to run this app.</noscript><script src=/app.js></script>"
            ),
            page("<div id=app>Loading...</div><script src=/app.js></script>"),
            page(
                "<div><p>Bitte aktivieren Sie JavaScript, um diese Seite zu sehen.</p></div><script src=/app.js></script>"
            ),
            page("<div id=__next></div><script src=/app.js></script>"),
        ])
    func scripts(page: String) throws {
        #expect(try outcome(page) == ExtractionOutcome(interstitial: .needsScripts))
    }

    @Test("a page without text is empty", arguments: ["", "<title>x</title>", "<body></body>"])
    func empty(page: String) throws {
        #expect(try outcome(page) == ExtractionOutcome(interstitial: .empty))
    }

    // MARK: - Articles

    @Test(
        "an article is extracted, whatever surrounds it",
        arguments: [
            // A cookie banner, a login form, a captcha in the comment form, a wall for other stories, a script's message, a newsletter.
            "<div class=cookie-banner><p>We use cookies.</p><button>Accept all</button></div>\(article)",
            "<div class=bar><p>We use cookies and so do our partners. Your consent counts.</p><button>Accept all</button></div>\(article)",
            "<form><input name=u><input type=password><button>Log in</button></form>\(article)",
            "\(article)<form><div class=g-recaptcha></div><p>Verify you are human</p><button>Comment</button></form>",
            "\(article)<div class=paywall><p>Subscribe to continue reading our other stories.</p></div>",
            "<noscript>Please enable JavaScript.</noscript><div id=root>\(article)</div><script src=/app.js></script>",
            "<div role=dialog aria-modal=true><h2>Our newsletter</h2><p>Sign up for our newsletter.</p></div>\(article)",
        ])
    func articles(body: String) throws {
        let found = try outcome(Self.page("\(Self.menu)<article><h1>The tea house</h1>\(body)</article>"))
        #expect(found.interstitial == nil)
        #expect(found.article?.textContent.contains("read later, in peace") == true)
    }

    @Test(
        "an article about walls, captchas or errors is an article",
        arguments: [
            (
                "Are you a robot? How captchas work",
                "Some pages ask you to verify you are human before they show themselves. "
            ),
            (
                "Page not found: a history of the 404 error",
                "The error 404 not found is as old as the web itself, and as lasting. "
            ),
            (
                "Access denied: why paywalls fail",
                "Subscribe to continue reading, says the paper, and the reader turns away. "
            ),
            ("Your privacy and cookies", "We use cookies, say the pages, and accept all is what most readers press. "),
            ("How to log in to anything", "Press sign in, then type your password into the form that you are shown. "),
        ])
    func about(title: String, sentence: String) throws {
        let paragraphs = (1...8).map {
            "<p>\(String(repeating: sentence, count: 3)) It was the morning of day \($0), and nobody in town knew why.</p>"
        }
        let found = try outcome(Self.page("<article><h1>\(title)</h1>\(paragraphs.joined())</article>", title: title))
        #expect(found.interstitial == nil)
        #expect(found.article != nil)
    }

    @Test(
        "\"for subscribers\" after a full article refers to its comments, unless the page declares paid content",
        arguments: [
            "<p>L’espace des contributions est réservé aux abonnés.</p>", "<p>Comments are for subscribers only.</p>",
            "<p>Kommentare nur für Abonnenten</p>", "<p>Already a subscriber? Thank you.</p>",
        ])
    func comments(line: String) throws {
        let body = "<article><h1>The tea house</h1>\(Self.paragraph)\(Self.paragraph)</article>\(line)"
        #expect(try outcome(Self.page(body)).interstitial == nil)
        let paid =
            "<script type=application/ld+json>{\"@type\": \"NewsArticle\", \"isAccessibleForFree\": false}</script>"
        #expect(try outcome(Self.page(body, head: paid)).interstitial == .subscriptionWall)
    }

    @Test(
        "a short news item is an article",
        arguments: [
            "",
            "<div class=bar><p>We use cookies. Read our cookie policy to learn what they are for.</p><button>Accept</button></div>",
        ])
    func brief(bar: String) throws {
        let text =
            "<p>The tea house at the corner opens again on Monday, its owner said. It had been closed since the flood of last year.</p>"
        let found = try outcome(
            Self.page("\(bar)<article><h1>Tea house opens</h1>\(text)\(text)</article>", title: "Tea house opens"))
        #expect(found.interstitial == nil)
        #expect(found.article?.textContent.contains("opens again on Monday") == true)
    }

    @Test("an article beside many links is not an index")
    func besideLinks() throws {
        let links = (1...40).map { "<li><a href=/\($0)>The headline of another story number \($0)</a></li>" }.joined()
        let found = try outcome(
            Self.page("<ul>\(links)</ul><article><h1>The tea house</h1>\(Self.paragraph)\(Self.paragraph)</article>"))
        #expect(found.interstitial == nil)
    }

    // MARK: - Consequences

    @Test(
        "a page that replaces the saved page provides no metadata",
        arguments: [
            page(
                "<form id=challenge-form></form>", title: "Just a moment...",
                head:
                    "<meta name=description content=d><meta property=og:image content=/i.png><link rel=canonical href=/c>"
            ),
            page(
                "<h1>Log in</h1><form><input><input type=password></form>", title: "Log in",
                head: "<meta property=og:title content=x>"),
        ])
    func silence(page: String) throws {
        let reading = try PageReader().read(page, url: "https://h.example/a")
        #expect(reading.metadata == PageMetadata())
        #expect(reading.article == nil)
        #expect(reading.interstitial?.replacesSavedPage == true)
    }

    @Test(
        "an article's beginning and a page that needs scripts keep their titles",
        arguments: [
            page("<div id=root></div><noscript>Enable JavaScript.</noscript><script src=/a.js></script>"),
            page("<article><h1>The tea house</h1>\(paragraph)<p>Subscribe to continue reading</p></article>"),
        ])
    func titles(page: String) throws {
        let reading = try PageReader().read(page, url: "https://h.example/a")
        #expect(reading.metadata.title == "The tea house")
        #expect(reading.interstitial != nil)
    }

    @Test("in mode compat an article that Readability finds is never withheld")
    func compat() throws {
        let page = Self.page("<article><h1>x</h1>\(Self.paragraph)<p>Subscribe to continue reading</p></article>")
        let found = Extraction(mode: .compat).outcome(of: try Document(parsing: page), url: "https://h.example/")
        #expect(found.article != nil)
        #expect(found.interstitial == nil)
    }
}
