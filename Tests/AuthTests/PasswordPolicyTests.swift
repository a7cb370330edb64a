@testable import Auth
import Testing

@Suite("Auth / password policy")
struct PasswordPolicyTests {
    private let policy = PasswordPolicy(list: "#!comment: a list\n#!comment:\n123456\npassword1\r\n#1bitch")

    @Test("common passwords are refused by exact match", arguments: ["123456", "password1", "#1bitch"])
    func common(password: String) {
        #expect(throws: AuthError.weakPassword(.common)) { try policy.checked(password) }
    }

    @Test(
        "similar passwords are accepted",
        arguments: ["Password1", "1234567", "password1 ", "#!comment: a list", "correct horse"])
    func others(password: String) throws {
        #expect(try policy.checked(password) == password)
    }

    @Test("the length is counted in characters as people see them")
    func short() throws {
        #expect(throws: AuthError.weakPassword(.length)) { try policy.checked("12345") }
        #expect(throws: AuthError.weakPassword(.length)) { try policy.checked("👩‍👩‍👧‍👦👩‍👩‍👧‍👦") }
        #expect(try policy.checked("пароль") == "пароль")
    }
}
