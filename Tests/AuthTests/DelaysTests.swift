import Auth
import HTTP
import TestDatabase
import Testing

@Suite("Auth / attempts that have to wait", .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct DelaysTests {
    private var stand: AccountsStand

    init() throws {
        stand = try AccountsStand()
        _ = try stand.signUp()
        stand.rules.isLimited = true
    }

    /// The seconds to wait that an attempt is told, nil for one that was looked at.
    private func attempt(_ password: String = "wrong horse", from address: String = "198.51.100.7", agent: String = "guesser") -> Int? {
        do {
            _ = try stand.signIn("ann@example.org", password, from: address, agent: agent)
            return nil
        } catch AuthError.tooManyAttempts(let seconds) {
            return seconds
        } catch {
            return nil
        }
    }

    @Test("the fifth wrong password makes the next attempt wait, wherever it comes from")
    func growing() {
        for _ in 1...5 { #expect(attempt() == nil) }
        #expect(attempt() == 1)
        #expect(attempt(from: "203.0.113.9", agent: "another") == 1)
        #expect(attempt("secret1") == 1)
    }

    @Test("each wait that was sat out is followed by one twice as long, up to a quarter of an hour")
    func doubling() throws {
        for _ in 1...5 { _ = attempt() }
        for expected in [2, 4, 8, 16] {
            _ = try stand.admin("update auth.delays set allowed_at = now()")
            #expect(attempt() == nil)
            #expect(attempt() == expected)
        }
        _ = try stand.admin("update auth.delays set attempts = 60, allowed_at = now()")
        #expect(attempt() == nil)
        #expect(attempt() == 900)
    }

    @Test("a device the account was used from before is let in while others wait")
    func knownDevice() throws {
        _ = try stand.signIn(from: "192.0.2.44", agent: "Ann's laptop")
        for _ in 1...5 { _ = attempt() }
        #expect(attempt("secret1") != nil)
        #expect(throws: Never.self) { try stand.signIn(from: "192.0.2.44", agent: "Ann's laptop") }
    }

    @Test("a known device waits half a minute at most")
    func knownDeviceWaits() throws {
        for _ in 1...5 { #expect(attempt(from: "192.0.2.1", agent: "tests") == nil) }
        _ = try stand.admin("update auth.delays set attempts = 60, allowed_at = now()")
        #expect(attempt(from: "192.0.2.1", agent: "tests") == nil)
        #expect(attempt(from: "192.0.2.1", agent: "tests") == 30)
    }

    @Test("unknown addresses wait like known ones")
    func unknownAddress() {
        func attempt() -> AuthError? {
            do { _ = try stand.signIn("nobody@example.org", "wrong horse", from: "198.51.100.8") } catch { return error as? AuthError }
            return nil
        }
        for _ in 1...5 { #expect(attempt() == .invalidCredentials) }
        #expect(attempt() == .tooManyAttempts(seconds: 1))
    }

    @Test("a network that tries many accounts waits, and its neighbours do not")
    func network() {
        func attempt(_ number: Int, from address: String) -> AuthError? {
            do { _ = try stand.signIn("user\(number)@example.org", "wrong horse", from: address) } catch { return error as? AuthError }
            return nil
        }
        for number in 1...30 { #expect(attempt(number, from: "2001:db8:0:1::\(number)") == .invalidCredentials) }
        #expect(attempt(31, from: "2001:db8:0:1::ffff") == .tooManyAttempts(seconds: 1))
        #expect(attempt(31, from: "2001:db8:0:2::1") == .invalidCredentials)
    }

    @Test("an hour of quiet forgets everything")
    func forgotten() throws {
        for _ in 1...6 { _ = attempt() }
        _ = try stand.admin("update auth.delays set last_at = now() - interval '61 minutes', allowed_at = now() - interval '61 minutes'")
        for _ in 1...5 { #expect(attempt() == nil) }
    }

    @Test("many at once are many")
    func concurrent() async {
        let (database, rules) = (stand.database, stand.rules)
        let looked = await withTaskGroup(of: Bool.self) { group in
            for number in 1...20 {
                group.addTask {
                    let own = AccountsStand(sharing: database, rules)
                    do {
                        _ = try own.signIn("ann@example.org", "wrong horse", from: "198.51.100.\(number)", agent: "g")
                        return false
                    } catch {
                        return error as? AuthError == .invalidCredentials
                    }
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(looked == 5)
    }
}
