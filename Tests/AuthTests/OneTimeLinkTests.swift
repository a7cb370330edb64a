@testable import Auth
import Testing

@Suite("Auth / one-time links")
struct OneTimeLinkTests {
    @Test("the code has six digits and the token 256 bits")
    func shape() {
        for _ in 0..<50 {
            let link = OneTimeLink(.recovery)
            #expect(link.code.count == 6 && Int(link.code) != nil)
            #expect(link.token.count == 43)
        }
    }

    @Test("the token is in the fragment of the URL")
    func url() {
        let link = OneTimeLink(.invite)
        #expect(link.url("https://r.test") == "https://r.test/account/#token_hash=\(link.token)&type=invite")
    }

    @Test("only a link shown to an admin stores its code, and no link stores its token")
    func storing() {
        let link = OneTimeLink(.recovery)
        let user = "6f1c1c1e-7f0b-4c55-9f3b-0d8f8f8f8f8f"
        #expect(!link.storing(for: user, .mailed).binds.contains(link.code))
        #expect(link.storing(for: user, .shownToAdmin).binds.contains(link.code))
        #expect(!link.storing(for: user, .mailed).binds.contains(link.token))
        #expect(link.storing(for: user, .mailed).binds.contains(OneTimeLink.hash(link.token)))
    }
}
