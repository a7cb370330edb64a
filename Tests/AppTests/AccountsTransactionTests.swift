import Auth
import Testing

@testable import App

@Suite("App / actors of the audit log")
struct AccountsTransactionTests {
    private func caller(_ role: Caller.Role, _ user: String? = nil) -> Caller {
        Caller(role: role, userID: user, sessionID: nil, claims: "", expiresAt: .max)
    }

    @Test("the actor is named by role, an admin also by eight digits of the id")
    func actors() {
        let user = "12345678-0000-4000-8000-000000000000"
        #expect(AccountsTransaction.actor(caller(.serviceRole), .admin(.users)) == "service key")
        #expect(AccountsTransaction.actor(caller(.authenticated, user), .admin(.users)) == "admin 12345678")
        #expect(AccountsTransaction.actor(caller(.authenticated, user), .updateUser) == "user")
        #expect(AccountsTransaction.actor(caller(.anon), .signUp) == "visitor")
    }
}
