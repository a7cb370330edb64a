import Auth
import HTTP
import Postgres
import TestDatabase
import Testing

@Suite(
    "Auth / delays after failed attempts",
    .enabled(if: TestDatabase.isAvailable, "needs the server that deploy/test starts"))
struct DelaysTests {
    private var fixture: AccountsFixture

    init() throws {
        fixture = try AccountsFixture()
        _ = try fixture.signUp()
        fixture.rules.isLimited = true
    }

    /// The seconds that a refused attempt has to wait; nil if the password was checked.
    private func attempt(
        _ password: String = "wrong horse", from address: String = "198.51.100.7", agent: String = "guesser"
    ) -> Int? {
        do {
            _ = try fixture.signIn("ann@example.org", password, from: address, agent: agent)
            return nil
        } catch AuthError.tooManyAttempts(let seconds) {
            return seconds
        } catch {
            return nil
        }
    }

    /// Seconds from the last counted attempt to the next that will be checked.
    private func wait() throws -> Int? {
        try fixture.admin(
            "select max(extract(epoch from allowed_at - last_at))::int from auth.delays where allowed_at > '-infinity'"
        ).int(0, 0)
    }

    /// Extends every delay to an hour, so that it does not end before the next attempt.
    private func stretch() throws {
        _ = try fixture.admin(
            "update auth.delays set allowed_at = clock_timestamp() + interval '1 hour' where allowed_at > '-infinity'")
    }

    /// The range of the seconds in responses during such a delay.
    private static let stretched = 3_500...3_600

    private func isStretched(_ seconds: Int?) -> Bool { seconds.map(Self.stretched.contains) == true }

    private func isStretched(_ error: AuthError?) -> Bool {
        if case .tooManyAttempts(let seconds) = error { isStretched(seconds) } else { false }
    }

    @Test("after five wrong passwords every further attempt waits, whatever its origin")
    func growing() throws {
        for _ in 1...5 { #expect(attempt() == nil) }
        #expect(try wait() == 1)
        try stretch()
        #expect(isStretched(attempt()))
        #expect(isStretched(attempt(from: "203.0.113.9", agent: "another")))
        #expect(isStretched(attempt("secret1")))
    }

    @Test("each delay is twice as long as the one before, up to 15 minutes")
    func doubling() throws {
        for _ in 1...5 { _ = attempt() }
        for expected in [2, 4, 8, 16] {
            _ = try fixture.admin("update auth.delays set allowed_at = now()")
            #expect(attempt() == nil)
            #expect(try wait() == expected)
        }
        _ = try fixture.admin("update auth.delays set attempts = 60, allowed_at = now()")
        #expect(attempt() == nil)
        #expect(try wait() == 900)
        #expect((800...900).contains(attempt() ?? 0))
    }

    @Test("a known device can sign in while other devices wait")
    func knownDevice() throws {
        _ = try fixture.signIn(from: "192.0.2.44", agent: "Ann's laptop")
        for _ in 1...5 { _ = attempt() }
        try stretch()
        #expect(attempt("secret1") != nil)
        #expect(throws: Never.self) { try fixture.signIn(from: "192.0.2.44", agent: "Ann's laptop") }
    }

    @Test("a known device waits at most 30 seconds")
    func knownDeviceWaits() throws {
        for _ in 1...5 { #expect(attempt(from: "192.0.2.1", agent: "tests") == nil) }
        _ = try fixture.admin("update auth.delays set attempts = 60, allowed_at = now()")
        #expect(attempt(from: "192.0.2.1", agent: "tests") == nil)
        #expect(try wait() == 30)
        try stretch()
        #expect(isStretched(attempt(from: "192.0.2.1", agent: "tests")))
    }

    @Test("unknown addresses are delayed like known ones")
    func unknownAddress() throws {
        func attempt() -> AuthError? {
            do { _ = try fixture.signIn("nobody@example.org", "wrong horse", from: "198.51.100.8") } catch {
                return error as? AuthError
            }
            return nil
        }
        for _ in 1...5 { #expect(attempt() == .invalidCredentials) }
        #expect(try wait() == 1)
        try stretch()
        #expect(isStretched(attempt()))
    }

    @Test("a network that tries many accounts waits, and other networks do not")
    func network() throws {
        func attempt(_ number: Int, from address: String) -> AuthError? {
            do { _ = try fixture.signIn("user\(number)@example.org", "wrong horse", from: address) } catch {
                return error as? AuthError
            }
            return nil
        }
        for number in 1...30 { #expect(attempt(number, from: "2001:db8:0:1::\(number)") == .invalidCredentials) }
        #expect(try wait() == 1)
        try stretch()
        #expect(isStretched(attempt(31, from: "2001:db8:0:1::ffff")))
        #expect(attempt(31, from: "2001:db8:0:2::1") == .invalidCredentials)
    }

    @Test("an hour without attempts resets all delays")
    func forgotten() throws {
        for _ in 1...6 { _ = attempt() }
        _ = try fixture.admin(
            "update auth.delays set last_at = now() - interval '61 minutes', allowed_at = now() - interval '61 minutes'"
        )
        for _ in 1...5 { #expect(attempt() == nil) }
    }

    @Test("concurrent attempts are all counted")
    func concurrent() async throws {
        // The delay after the fifth attempt must not end before the twentieth.
        var owner = try Connection(fixture.database.conninfo("lectern_bootstrap"))
        try owner.script(
            """
            create function public.stretch() returns trigger language plpgsql as
                $$ begin new.allowed_at := new.allowed_at + interval '1 hour'; return new; end $$;
            create trigger stretch before update on auth.delays
                for each row when (new.allowed_at > '-infinity') execute function public.stretch();
            """)
        let (database, rules) = (fixture.database, fixture.rules)
        let looked = await withTaskGroup(of: Bool.self) { group in
            for number in 1...20 {
                group.addTask {
                    let own = AccountsFixture(sharing: database, rules)
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
