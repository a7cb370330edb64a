import Auth
import Testing

@Suite("Auth / callers")
struct CallerTests {
    @Test("the claims of a personal API token give its owner")
    func personalToken() throws {
        let caller = try Caller(ofPersonalToken: #"{"sub":"ann","token_id":"t","scope":"read"}"#)
        #expect(caller.role == .authenticated && caller.userID == "ann" && caller.scope == .read)
        #expect(caller.sessionID == nil && caller.tokenHash == nil)
    }

    @Test("incomplete claims are refused", arguments: ["", "{}", #"{"sub":"ann"}"#, #"{"sub":"ann","scope":"all"}"#])
    func incomplete(claims: String) { #expect(throws: (any Error).self) { try Caller(ofPersonalToken: claims) } }
}
