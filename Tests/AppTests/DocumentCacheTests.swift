import Testing

@testable import App

@Suite("App / cache of documents")
struct DocumentCacheTests {
    private func key(_ user: String, _ query: String = "") -> DocumentCache.Key {
        .init(user: user, path: "/feed", query: query)
    }

    @Test("a document is kept for its user, its address and its number of changes")
    func keys() {
        let cache = DocumentCache()
        cache.keep([1], key("ann"), changes: 5)
        #expect(cache.body(key("ann"), changes: 5) == [1])
        #expect(cache.body(key("ann"), changes: 6) == nil && cache.body(key("ann", "limit=1"), changes: 5) == nil)
        #expect(cache.body(key("ben"), changes: 5) == nil)
        cache.keep([2], key("ann"), changes: 6)
        #expect(cache.body(key("ann"), changes: 6) == [2] && cache.body(key("ann"), changes: 5) == nil)
    }

    @Test("the documents that were used longest ago make room")
    func room() {
        let cache = DocumentCache(maxBytes: 4_000)
        let document = [UInt8](repeating: 0, count: 900)
        for user in ["a", "b", "c", "d"] { cache.keep(document, key(user), changes: 1) }
        #expect(cache.body(key("a"), changes: 1) != nil)
        cache.keep(document, key("e"), changes: 1)
        let kept = ["a", "b", "c", "d", "e"].filter { cache.body(key($0), changes: 1) != nil }
        #expect(kept == ["a", "c", "d", "e"])
    }

    @Test("a document of more than a quarter of the cache is not kept")
    func large() {
        let cache = DocumentCache(maxBytes: 4_000)
        cache.keep([UInt8](repeating: 0, count: 1_000), key("a"), changes: 1)
        #expect(cache.body(key("a"), changes: 1) == nil)
    }
}
