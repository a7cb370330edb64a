import Auth
import HTTP
import Testing

@Suite("Auth / errors")
struct AuthErrorTests {
    private func body(_ error: AuthError, version: String? = nil) -> String {
        String(decoding: error.response(version: version).body, as: UTF8.self)
    }

    @Test("the shape depends on the client's API version")
    func versions() {
        #expect(body(.badJSON).hasPrefix(#"{"code":400,"error_code":"bad_json","msg":"#))
        #expect(body(.badJSON, version: "2024-01-01").hasPrefix(#"{"code":"bad_json","message":"#))
        #expect(AuthError.badJSON.response(version: "2023-01-01").headers["x-supabase-api-version"] == nil)
    }

    @Test("a delay is given in words and in Retry-After", arguments: [(1, "1 second."), (5, "5 seconds.")])
    func delays(seconds: Int, words: String) {
        let error = AuthError.tooManyAttempts(seconds: seconds)
        #expect(error.message.hasSuffix(words))
        #expect(error.response(version: nil).headers["retry-after"] == String(seconds))
    }
}
