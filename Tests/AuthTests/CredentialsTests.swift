import Auth
import FoundationEssentials
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

    // MARK: - Books, feeds and catalogs

    private func libraryCaller(_ authorization: String?) throws(TokenError) -> Caller {
        var credentials = Credentials(JWTKeySet(secret: secret))
        return try credentials.libraryCaller(authorization.map { ["authorization": $0] } ?? [:], now: now)
    }

    private func basic(_ text: String) -> String { "Basic " + Data(text.utf8).base64EncodedString() }

    @Test("books and feeds take a session or an API token without an API key")
    func libraryBearer() throws {
        let token = PersonalToken()
        #expect(try libraryCaller("Bearer \(session)").userID == user)
        let caller = try libraryCaller("Bearer \(token.text)")
        #expect(caller.tokenHash == token.hash && caller.presentedEmail == nil)
    }

    @Test("HTTP Basic is an e-mail address with an API token", arguments: ["Basic", "basic"])
    func libraryBasic(scheme: String) throws {
        let token = PersonalToken()
        let words = basic("änne@example.org:\(token.text)").replacing("Basic", with: scheme)
        let caller = try libraryCaller(words)
        #expect(caller.tokenHash == token.hash && caller.presentedEmail == "änne@example.org")
    }

    @Test("HTTP Basic with anything but an API token, and keys, open no books")
    func libraryRefused() {
        let keys = APIKeys(key)
        for words in [
            basic("ann@example.org:correct horse"), basic("ann@example.org"), basic(""), "Basic", "Basic §", "Digest x",
            basic("ann@example.org:\(session)"),
            basic(String(repeating: "a", count: 4_000) + ":\(PersonalToken().text)"),
            "Bearer \(keys.anon)", "Bearer \(keys.service)", "",
        ] {
            #expect(throws: TokenError.noLibraryCredentials) { try libraryCaller(words) }
        }
        #expect(throws: TokenError.noLibraryCredentials) { try libraryCaller(nil) }
        #expect(throws: TokenError.self) { try libraryCaller("Bearer lct_x") }
    }
}
