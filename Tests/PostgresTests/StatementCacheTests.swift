@testable import Postgres
import Testing

@Suite("Postgres / statement cache")
struct StatementCacheTests {
    private func key(_ text: String, role: String = "r") -> StatementCache.Key { .init(role: role, text: text) }

    @Test("a statement is found by role and text")
    func found() {
        var cache = StatementCache()
        let name = cache.newName()
        cache.insert(key("select 1"), as: name)
        #expect(cache.name(of: key("select 1")) == name)
        #expect(cache.name(of: key("select 1", role: "other")) == nil)
        #expect(cache.newName() != name)
    }

    @Test("a full cache evicts the least recently used statement")
    func eviction() {
        var cache = StatementCache(capacity: 2)
        cache.insert(key("a"), as: "1")
        #expect(cache.evict() == nil)
        cache.insert(key("b"), as: "2")
        #expect(cache.name(of: key("a")) == "1")
        #expect(cache.evict() == "2")
        #expect(cache.name(of: key("b")) == nil && cache.name(of: key("a")) == "1")
    }

    @Test("an emptied cache has no statement, and names are not reused")
    func emptied() {
        var cache = StatementCache()
        let name = cache.newName()
        cache.insert(key("a"), as: name)
        cache.removeAll()
        #expect(cache.name(of: key("a")) == nil && cache.newName() != name)
    }
}
