import Auth
import HTTP
import REST
import Testing

@testable import App

@Suite("App / conditional reads")
struct ConditionalReadTests {
    private func caller(_ user: String? = "ann", role: Caller.Role = .authenticated) -> Caller {
        Caller(role: role, userID: user, sessionID: nil, claims: "", expiresAt: .max)
    }

    private func condition(
        _ query: String = "", headers: Headers = [:], caller: Caller? = nil, of resource: Resource = .table("links")
    ) throws -> ConditionalRead? {
        let request = request("GET", query, headers: headers)
        let plan = try plan("GET", query, of: resource)
        return ConditionalRead(request, resource, plan, caller ?? self.caller(), schema: "1")
    }

    @Test("the tag returns its counter to the same request", arguments: ["", "W/"])
    func roundTrip(prefix: String) throws {
        let condition = try #require(try condition("limit=5"))
        let tag = condition.tag(42)
        #expect(tag.hasPrefix("W/\""))
        #expect(condition.counter(in: ["if-none-match": "\"other\", \(prefix)\(tag.dropFirst(2)) "]) == 42)
    }

    @Test("another query, user or header has another tag")
    func others() throws {
        let tag = try #require(try condition("limit=5")).tag(1)
        let changed = [
            try condition("limit=6"), try condition("limit=5", caller: caller("bob")),
            try condition("limit=5", headers: ["accept": "text/csv"]),
        ]
        for condition in changed { #expect(condition?.counter(in: ["if-none-match": tag]) == nil) }
    }

    @Test("tags that are not ours are ignored", arguments: ["*", "", "\"x\"", "W/\"0-\"", "\"-1\""])
    func foreign(tag: String) throws { #expect(try condition()?.counter(in: ["if-none-match": tag]) == nil) }

    @Test("there is no tag without a user, and none for relations without a counter")
    func none() throws {
        #expect(try condition(caller: caller(nil, role: .anon)) == nil)
        #expect(try condition(caller: caller(nil, role: .serviceRole)) == nil)
        #expect(try condition(of: .table("jobs")) == nil)
    }
}
