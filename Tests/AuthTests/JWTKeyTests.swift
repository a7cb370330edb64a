import Auth
import Crypto
import Testing

private let secret = "0123456789abcdef0123456789abcdef"
private let user = "6f1c1c1e-7f0b-4c55-9f3b-0d8f8f8f8f8f"
private let now = 1_800_000_000

@Suite("Auth / tokens")
struct JWTKeyTests {
    private let key = JWTKey(secret: secret)

    private func token(
        header: String = #"{"alg":"HS256","typ":"JWT"}"#, _ payload: String, signedWith secret: String = secret
    ) -> String {
        let head = Base64URL.encode(header.utf8) + "." + Base64URL.encode(payload.utf8)
        return head + "." + Base64URL.encode(Digest.hmacSHA256(head.utf8, key: Array(secret.utf8)))
    }

    private func payload(_ changes: String = "", role: String = "authenticated", exp: Int = now + 100) -> String {
        #"{"sub":"\#(user)","role":"\#(role)","exp":\#(exp)\#(changes)}"#
    }

    @Test("our own token identifies its user")
    func accepted() throws {
        let caller = try key.verify(key.sign(payload: payload()), now: now)
        #expect(caller.role == .authenticated)
        #expect(caller.userID == user)
    }

    @Test(
        "other algorithms are refused, also none in any case",
        arguments: [
            "none", "None", "NONE", "nOnE", "HS384", "HS512", "RS256", "ES256", "hs256", "",
        ])
    func algorithms(name: String) {
        let forged = token(header: #"{"alg":"\#(name)","typ":"JWT"}"#, payload())
        #expect(throws: TokenError.self) { _ = try key.verify(forged, now: now) }
        let unsigned = forged.split(separator: ".").prefix(2).joined(separator: ".") + "."
        #expect(throws: TokenError.self) { _ = try key.verify(unsigned, now: now) }
    }

    @Test("a wrong signature is refused", arguments: 0..<5)
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

    @Test(
        "text that is not a token is refused",
        arguments: [
            "", ".", "..", "a.b", "a.b.c", "a.b.c.d", "Bearer", String(repeating: "a", count: 20_000),
            "\u{0}.\u{0}.\u{0}",
        ])
    func rubbish(text: String) { #expect(throws: TokenError.self) { _ = try key.verify(text, now: now) } }

    @Test(
        "exp, nbf and iat are checked with 30 seconds of skew",
        arguments: [
            (#""#, now - 29, true), (#""#, now - 31, false), (#","nbf":\#(now + 29)"#, now + 100, true),
            (#","nbf":\#(now + 31)"#, now + 100, false), (#","iat":\#(now + 60)"#, now + 100, false),
        ])
    func times(changes: String, exp: Int, isGood: Bool) {
        let result = Result { try key.verify(token(payload(changes, exp: exp)), now: now) }
        #expect(((try? result.get()) != nil) == isGood)
    }

    @Test(
        "unknown roles, missing user ids and wrong types are refused",
        arguments: [
            #"{"role":"postgres","exp":\#(now + 9),"sub":"\#(user)"}"#, #"{"exp":\#(now + 9),"sub":"\#(user)"}"#,
            #"{"role":"authenticated","exp":\#(now + 9)}"#,
            #"{"role":"authenticated","exp":\#(now + 9),"sub":"x' or 1=1"}"#,
            #"{"role":"authenticated","sub":"\#(user)"}"#, #"[1]"#, "null", "{", #"{"role":5,"exp":\#(now + 9)}"#,
            #"{"role":"authenticated","exp":"soon","sub":"\#(user)"}"#,
        ])
    func claims(text: String) {
        let error = #expect(throws: TokenError.self) { _ = try key.verify(token(text), now: now) }
        #expect(error?.code == "PGRST303")
    }

    @Test("critical extensions are refused")
    func critical() {
        let forged = token(header: #"{"alg":"HS256","crit":["b64"],"b64":false}"#, payload())
        #expect(throws: TokenError.self) { _ = try key.verify(forged, now: now) }
    }

    @Test("every payload can be decoded with the standard base 64 alphabet")
    func alphabet() throws {
        let signed = key.sign(payload: payload(#","user_metadata":{"name":"ÿ>?~ 🌍 Ünïcödé >>>???~~~"}"#))
        let middle = try #require(signed.split(separator: ".").dropFirst().first)
        #expect(!middle.contains("-") && !middle.contains("_"))
        #expect(try key.verify(signed, now: now).userID == user)
    }

    @Test("a secret always gives the same API keys")
    func keys() throws {
        #expect(APIKeys(key) == APIKeys(JWTKey(secret: secret)))
        #expect(try key.verify(APIKeys(key).anon, now: now).role == .anon)
        #expect(try key.verify(APIKeys(key).service, now: now).role == .serviceRole)
    }
}
