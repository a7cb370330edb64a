import Auth
import HTTP
import Testing

private let secret = "0123456789abcdef0123456789abcdef"
private let user = "6f1c1c1e-7f0b-4c55-9f3b-0d8f8f8f8f8f"
private let now = 1_800_000_000

@Suite("Auth / credentials")
struct CredentialsTests {
    private let key = JWTKey(secret: secret)
    private var anon: String { APIKeys(key).anon }
    private var session: String { key.sign(payload: #"{"sub":"\#(user)","role":"authenticated","exp":\#(now + 100)}"#) }

    private func caller(_ headers: Headers, queryKey: String? = nil) throws(TokenError) -> Caller {
        var credentials = Credentials(JWTKeySet(secret: secret))
        return try credentials.caller(headers, queryKey: queryKey, now: now)
    }

    @Test("the API key may be in a header or in the query")
    func keyPlaces() throws {
        #expect(try caller(["apiKey": anon]).role == .anon)
        #expect(try caller([:], queryKey: anon).role == .anon)
    }

    @Test("a missing, empty or wrong key and a user's token as key are refused")
    func badKeys() {
        #expect(throws: TokenError.noAPIKey) { try caller([:]) }
        #expect(throws: TokenError.noAPIKey) { try caller(["apikey": ""]) }
        #expect(throws: TokenError.invalidAPIKey) { try caller(["apikey": "nonsense"]) }
        #expect(throws: TokenError.invalidAPIKey) { try caller(["apikey": session]) }
    }

    @Test(
        "the bearer token identifies the user, with its scheme in any case", arguments: ["Bearer", "bearer", "BEARER"])
    func bearer(scheme: String) throws {
        #expect(try caller(["apikey": anon, "authorization": "\(scheme) \(session)"]).userID == user)
        #expect(try caller(["apikey": anon, "authorization": "\(scheme) \(anon)"]).role == .anon)
    }

    @Test("an API key alone is told from the same key as a bearer token")
    func anonymousBearer() throws {
        #expect(try !caller(["apikey": anon]).isBearer)
        #expect(try caller(["apikey": anon, "authorization": "Bearer \(anon)"]).isBearer)
        #expect(try caller(["apikey": anon, "authorization": "Bearer \(session)"]).isBearer)
    }

    @Test("an invalid token never counts as anonymous", arguments: ["Bearer ", "Bearer x", "Basic abc", "Bearer", ""])
    func neverAnon(value: String) {
        #expect(throws: TokenError.self) { try caller(["apikey": anon, "authorization": value]) }
    }

    @Test("two Authorization headers are refused")
    func twice() {
        var headers: Headers = ["apikey": anon, "authorization": "Bearer \(session)"]
        headers.add("authorization", "Bearer \(anon)")
        #expect(throws: TokenError.self) { try caller(headers) }
    }

    @Test("a cached token expires")
    func remembered() throws {
        var credentials = Credentials(JWTKeySet(secret: secret))
        let headers: Headers = ["apikey": anon, "authorization": "Bearer \(session)"]
        #expect(try credentials.caller(headers, queryKey: nil, now: now).userID == user)
        #expect(throws: TokenError.self) { try credentials.caller(headers, queryKey: nil, now: now + 200) }
    }
}
