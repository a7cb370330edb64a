import Testing

@testable import App

@Suite("App / owners of tokens")
struct TokenOwnersTests {
    @Test("an added token has its user, and the table does not grow without bound")
    func bound() {
        let owners = TokenOwners()
        #expect(owners.owner(of: "0") == nil)
        for number in 0...10_000 { owners.add("user \(number)", of: "\(number)") }
        #expect(owners.owner(of: "10000") == "user 10000")
        #expect(owners.owner(of: "0") == nil)
    }
}
