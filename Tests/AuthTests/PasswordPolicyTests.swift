@testable import Auth
import Testing

@Suite("Auth / passwords that will do")
struct PasswordPolicyTests {
    private let policy = PasswordPolicy(list: "#!comment: a list\n#!comment:\n123456\npassword1\r\n#1bitch")

    @Test("the most common ones are refused by exact match", arguments: ["123456", "password1", "#1bitch"])
    func common(password: String) {
        #expect(throws: AuthError.weakPassword(.common)) { try policy.checked(password) }
    }

    @Test("what only looks like them is taken", arguments: ["Password1", "1234567", "password1 ", "#!comment: a list", "correct horse"])
    func others(password: String) throws {
        #expect(try policy.checked(password) == password)
    }

    @Test("short ones say so, in characters as people count them")
    func short() throws {
        #expect(throws: AuthError.weakPassword(.length)) { try policy.checked("12345") }
        #expect(throws: AuthError.weakPassword(.length)) { try policy.checked("👩‍👩‍👧‍👦👩‍👩‍👧‍👦") }
        #expect(try policy.checked("пароль") == "пароль")
    }
}
