import Auth
import FoundationEssentials
import HTTP
import Testing

@testable import App

private let secret = "0123456789abcdef0123456789abcdef"
private let now = 1_800_000_000
private let alice = "6f1c1c1e-7f0b-4c55-9f3b-0d8f8f8f8f8f"

@Suite("App / client of a request")
struct RequestClientTests {
    private let key = JWTKey(secret: secret)
    private let owners = TokenOwners()
    private var keys: APIKeys { APIKeys(key) }

    private func client(
        _ headers: Headers = [:], _ method: String = "GET", query: String = "", address: String? = "192.0.2.1",
        now: Int = now
    ) -> RequestClient {
        var credentials = Credentials(JWTKeySet(secret: secret))
        let request = Request(
            method: method, path: "/rest/v1/links", query: query, headers: headers, remoteAddress: address)
        return RequestClient(request, &credentials, owners, now: now)
    }

    private func bearer(_ token: String) -> Headers {
        ["apikey": keys.anon, "authorization": "Bearer \(token)"]
    }

    @Test("a valid session counts for its user, from every network")
    func session() {
        let token = key.sign(payload: #"{"sub":"\#(alice)","role":"authenticated","exp":\#(now + 100)}"#)
        #expect(client(bearer(token)) == .user(alice))
        #expect(client(bearer(token), address: "2001:db8::1") == .user(alice))
        #expect(client(["authorization": "Bearer \(token)"], query: "apikey=\(keys.anon)") == .user(alice))
        #expect(client(bearer(token), now: now + 200) == .network("192.0.2.1"))
    }

    @Test("a personal API token counts for its network until its user is known")
    func personalToken() {
        let (token, other) = (PersonalToken(), PersonalToken())
        #expect(client(bearer(token.text)) == .network("192.0.2.1"))
        owners.add(alice, of: token.hash)
        #expect(client(bearer(token.text)) == .user(alice))
        #expect(client(bearer(other.text)) == .network("192.0.2.1"))
    }

    @Test("HTTP Basic with a personal API token counts like the token")
    func basic() {
        let token = PersonalToken()
        let headers: Headers = [
            "authorization": "Basic " + Data("ann@example.org:\(token.text)".utf8).base64EncodedString()
        ]
        #expect(client(headers) == .network("192.0.2.1"))
        owners.add(alice, of: token.hash)
        #expect(client(headers) == .user(alice))
    }

    @Test("requests without a valid token count for the address, or for the /64 network of an IPv6 address")
    func stranger() {
        #expect(client() == .network("192.0.2.1"))
        #expect(client(["apikey": keys.anon]) == .network("192.0.2.1"))
        #expect(client(bearer("nonsense")) == .network("192.0.2.1"))
        #expect(client(bearer("lct_nonsense")) == .network("192.0.2.1"))
        #expect(client(address: "2001:db8::1") == client(address: "2001:db8::2"))
        #expect(client(address: "2001:db8::1") != client(address: "2001:db8:0:1::1"))
    }

    @Test("the service key, the workers' own socket and preflight requests have no limit")
    func unlimited() {
        #expect(client(["apikey": keys.service, "authorization": "Bearer \(keys.service)"]) == .unlimited)
        #expect(client(address: nil) == .unlimited)
        #expect(client(["access-control-request-method": "GET"], "OPTIONS") == .unlimited)
        #expect(client([:], "OPTIONS") == .network("192.0.2.1"))
    }
}
