import Auth
import Crypto
import HTTP
import Testing

private let secret = "0123456789abcdef0123456789abcdef"
private let user = "6f1c1c1e-7f0b-4c55-9f3b-0d8f8f8f8f8f"
private let now = 1_800_000_000

@Suite("Auth / tokens")
struct TokenKeyTests {
    private let key = TokenKey(secret: secret)

    private func token(
        header: String = #"{"alg":"HS256","typ":"JWT"}"#, _ payload: String, signedWith secret: String = secret
    ) -> String {
        let head = Base64URL.encode(header.utf8) + "." + Base64URL.encode(payload.utf8)
        return head + "." + Base64URL.encode(Digest.hmacSHA256(head.utf8, key: Array(secret.utf8)))
    }

    private func payload(_ changes: String = "", role: String = "authenticated", exp: Int = now + 100) -> String {
        #"{"sub":"\#(user)","role":"\#(role)","exp":\#(exp)\#(changes)}"#
    }

    @Test("a token we signed names its user and nothing else does")
    func accepted() throws {
        let caller = try key.verify(key.sign(payload: payload()), now: now)
        #expect(caller.role == .authenticated)
        #expect(caller.userID == user)
    }

    @Test("another algorithm is refused, none in every case", arguments: [
        "none", "None", "NONE", "nOnE", "HS384", "HS512", "RS256", "ES256", "hs256", "",
    ])
    func algorithms(name: String) {
        let forged = token(header: #"{"alg":"\#(name)","typ":"JWT"}"#, payload())
        #expect(throws: TokenError.self) { _ = try key.verify(forged, now: now) }
        let unsigned = forged.split(separator: ".").prefix(2).joined(separator: ".") + "."
        #expect(throws: TokenError.self) { _ = try key.verify(unsigned, now: now) }
    }

    @Test("a wrong signature is refused: another key, a changed payload, a cut or padded text", arguments: 0..<5)
    func signatures(which: Int) {
        let good = token(payload())
        let parts = good.split(separator: ".").map(String.init)
        let bad = [
            token(payload(), signedWith: "another secret of thirty-two bytes"),
            "\(parts[0]).\(Base64URL.encode(payload(",\"x\":1").utf8)).\(parts[2])",
            String(good.dropLast()), good + "A", good + "=",
        ][which]
        #expect(throws: TokenError.self) { _ = try key.verify(bad, now: now) }
    }

    @Test("what is no token at all is refused", arguments: [
        "", ".", "..", "a.b", "a.b.c", "a.b.c.d", "Bearer", String(repeating: "a", count: 20_000), "\u{0}.\u{0}.\u{0}",
    ])
    func rubbish(text: String) { #expect(throws: TokenError.self) { _ = try key.verify(text, now: now) } }

    @Test("time decides, with half a minute of skew", arguments: [
        (#""#, now - 29, true), (#""#, now - 31, false), (#","nbf":\#(now + 29)"#, now + 100, true),
        (#","nbf":\#(now + 31)"#, now + 100, false), (#","iat":\#(now + 60)"#, now + 100, false),
    ])
    func times(changes: String, exp: Int, isGood: Bool) {
        let result = Result { try key.verify(token(payload(changes, exp: exp)), now: now) }
        #expect(((try? result.get()) != nil) == isGood)
    }

    @Test("only three roles exist, and a user needs a user's id", arguments: [
        #"{"role":"postgres","exp":\#(now + 9),"sub":"\#(user)"}"#, #"{"exp":\#(now + 9),"sub":"\#(user)"}"#,
        #"{"role":"authenticated","exp":\#(now + 9)}"#, #"{"role":"authenticated","exp":\#(now + 9),"sub":"x' or 1=1"}"#,
        #"{"role":"authenticated","sub":"\#(user)"}"#, #"[1]"#, "null", "{", #"{"role":5,"exp":\#(now + 9)}"#,
        #"{"role":"authenticated","exp":"soon","sub":"\#(user)"}"#,
    ])
    func claims(text: String) {
        let error = #expect(throws: TokenError.self) { _ = try key.verify(token(text), now: now) }
        #expect(error?.code == "PGRST303")
    }

    @Test("a critical extension nobody knows is refused")
    func critical() {
        let forged = token(header: #"{"alg":"HS256","crit":["b64"],"b64":false}"#, payload())
        #expect(throws: TokenError.self) { _ = try key.verify(forged, now: now) }
    }

    @Test("a payload is readable with the standard base 64 alphabet, whatever it says")
    func alphabet() throws {
        let signed = key.sign(payload: payload(#","user_metadata":{"name":"ÿ>?~ 🌍 Ünïcödé >>>???~~~"}"#))
        let middle = try #require(signed.split(separator: ".").dropFirst().first)
        #expect(!middle.contains("-") && !middle.contains("_"))
        #expect(try key.verify(signed, now: now).userID == user)
    }

    @Test("the API keys are always the same for a secret")
    func keys() throws {
        #expect(APIKeys(key) == APIKeys(TokenKey(secret: secret)))
        #expect(try key.verify(APIKeys(key).anon, now: now).role == .anon)
        #expect(try key.verify(APIKeys(key).service, now: now).role == .serviceRole)
    }
}

@Suite("Auth / credentials")
struct CredentialsTests {
    private let key = TokenKey(secret: secret)
    private var anon: String { APIKeys(key).anon }
    private var session: String { key.sign(payload: #"{"sub":"\#(user)","role":"authenticated","exp":\#(now + 100)}"#) }

    private func caller(_ headers: Headers, queryKey: String? = nil) throws(TokenError) -> Caller {
        var credentials = Credentials(TokenKeys(secret: secret))
        return try credentials.caller(headers, queryKey: queryKey, now: now)
    }

    @Test("the key comes in a header of any case or in the query")
    func keyPlaces() throws {
        #expect(try caller(["apiKey": anon]).role == .anon)
        #expect(try caller([:], queryKey: anon).role == .anon)
    }

    @Test("no key, an empty one, a wrong one and a user's token are refused")
    func badKeys() {
        #expect(throws: TokenError.noAPIKey) { try caller([:]) }
        #expect(throws: TokenError.noAPIKey) { try caller(["apikey": ""]) }
        #expect(throws: TokenError.invalidAPIKey) { try caller(["apikey": "nonsense"]) }
        #expect(throws: TokenError.invalidAPIKey) { try caller(["apikey": session]) }
    }

    @Test("the bearer token says who, its scheme in any case", arguments: ["Bearer", "bearer", "BEARER"])
    func bearer(scheme: String) throws {
        #expect(try caller(["apikey": anon, "authorization": "\(scheme) \(session)"]).userID == user)
        #expect(try caller(["apikey": anon, "authorization": "\(scheme) \(anon)"]).role == .anon)
    }

    @Test("a bad token is never read as nobody's", arguments: ["Bearer ", "Bearer x", "Basic abc", "Bearer", ""])
    func neverAnon(value: String) {
        #expect(throws: TokenError.self) { try caller(["apikey": anon, "authorization": value]) }
    }

    @Test("two authorizations in one request are refused")
    func twice() {
        var headers: Headers = ["apikey": anon, "authorization": "Bearer \(session)"]
        headers.add("authorization", "Bearer \(anon)")
        #expect(throws: TokenError.self) { try caller(headers) }
    }

    @Test("a remembered token ends with its own expiry")
    func remembered() throws {
        var credentials = Credentials(TokenKeys(secret: secret))
        let headers: Headers = ["apikey": anon, "authorization": "Bearer \(session)"]
        #expect(try credentials.caller(headers, queryKey: nil, now: now).userID == user)
        #expect(throws: TokenError.self) { try credentials.caller(headers, queryKey: nil, now: now + 200) }
    }
}
