import Testing

@testable import HTTPFetch

@Suite("HTTPFetch / next step")
struct NextStepTests {
    private let url = "http://a.test/page#part"

    private func step(
        _ status: Int, _ fields: [String] = [], body: String = "", asBrowser: Bool = false, isConditional: Bool = false,
        cookiesChanged: Bool = false
    ) -> NextStep {
        var exchange = Exchange(limits: FetchLimits())
        for line in ["HTTP/1.1 \(status) X", "Content-Type: text/html"] + fields + [""] {
            _ = Array("\(line)\r\n".utf8).withUnsafeBufferPointer { exchange.receive(headerLine: $0) }
        }
        _ = Array(body.utf8).withUnsafeBufferPointer { exchange.receive(body: $0) }
        exchange.finish()
        return NextStep.after(
            exchange, url: url, askedAsBrowser: asBrowser, isConditional: isConditional, cookiesChanged: cookiesChanged,
            now: 0)
    }

    @Test("a page is the end of the chain")
    func done() { #expect(step(200, body: "<p>x") == .done) }

    @Test("a redirect leads to its target, which inherits the fragment")
    func redirect() {
        #expect(step(301, ["Location: /next"]) == .follow("http://a.test/next#part"))
        #expect(step(307, ["Location: /next#own"]) == .follow("http://a.test/next#own"))
    }

    @Test("a redirect without a valid target is an error", arguments: [[], ["Location: "], ["Location: http://"]])
    func badRedirect(fields: [String]) {
        guard case .fail(let error) = step(302, fields) else { Issue.record("no error"); return }
        #expect(error.reason == .badResponse && error.status == 302)
    }

    @Test("a redirect to another scheme is blocked")
    func scheme() { #expect(step(302, ["Location: ftp://a.test/"]) == .fail(.blockedScheme)) }

    @Test("a short refresh is followed, and a long one is not")
    func refresh() {
        #expect(step(200, ["Refresh: 0; url=/next"]) == .follow("http://a.test/next"))
        #expect(step(200, body: "<meta http-equiv=refresh content='5;/next'>") == .follow("http://a.test/next"))
        #expect(step(200, ["Refresh: 60; url=/next"]) == .done)
    }

    @Test("a page that reloads itself is followed only after it has set a cookie")
    func reload() {
        #expect(step(200, ["Refresh: 0"]) == .done)
        #expect(step(200, ["Refresh: 0"], cookiesChanged: true) != .done)
    }

    @Test("an AMP document leads to its canonical page")
    func canonical() {
        let page = "<html amp><link rel=canonical href=/article>"
        #expect(step(200, body: page) == .followCanonical("http://a.test/article"))
        #expect(step(200, body: "<html><link rel=canonical href=/article>") == .done)
        #expect(step(200, body: "<html amp><link rel=canonical href=/>") == .done)
    }

    @Test("a first 403 is repeated as a browser, and a second one is an error")
    func forbidden() {
        #expect(step(403) == .askAsBrowser)
        #expect(step(403, asBrowser: true) == .fail(.answered(403, retryAfter: nil)))
    }

    @Test("a 304 is valid only after a conditional request")
    func notModified() {
        #expect(step(304, isConditional: true) == .done)
        guard case .fail(let error) = step(304) else { Issue.record("no error"); return }
        #expect(error.reason == .badResponse)
    }

    @Test("an error status has its Retry-After")
    func retryAfter() { #expect(step(503, ["Retry-After: 30"]) == .fail(.answered(503, retryAfter: 30))) }
}
