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

    @Test("the e-mail address that is sent with a token must be its owner's, in any case")
    func address() throws {
        let claims = #"{"sub":"ann","email":"Ann@example.org","scope":"feed"}"#
        #expect(try Caller(ofPersonalToken: claims, presentedBy: "ann@EXAMPLE.org").userID == "ann")
        for other in ["bob@example.org", "", "ann"] {
            #expect(throws: TokenError.self) { try Caller(ofPersonalToken: claims, presentedBy: other) }
        }
    }

    @Test("incomplete claims are refused", arguments: ["", "{}", #"{"sub":"ann"}"#, #"{"sub":"ann","scope":"all"}"#])
    func incomplete(claims: String) { #expect(throws: (any Error).self) { try Caller(ofPersonalToken: claims) } }
}
