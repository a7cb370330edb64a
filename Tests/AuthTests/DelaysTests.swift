import Auth
import HTTP
import Postgres
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

    /// Seconds between the last attempt that was counted and the next that will be looked at.
    private func wait() throws -> Int? {
        try stand.admin("select max(extract(epoch from allowed_at - last_at))::int from auth.delays where allowed_at > '-infinity'").int(0, 0)
    }

    /// Makes every wait there is one of an hour, so that it is not over before the next attempt.
    private func stretch() throws {
        _ = try stand.admin("update auth.delays set allowed_at = clock_timestamp() + interval '1 hour' where allowed_at > '-infinity'")
    }

    /// What somebody is told of such a wait.
    private static let stretched = 3_500...3_600

    private func isStretched(_ seconds: Int?) -> Bool { seconds.map(Self.stretched.contains) == true }

    private func isStretched(_ error: AuthError?) -> Bool {
        if case .tooManyAttempts(let seconds) = error { isStretched(seconds) } else { false }
    }

    @Test("the fifth wrong password makes the next attempt wait, wherever it comes from")
    func growing() throws {
        for _ in 1...5 { #expect(attempt() == nil) }
        #expect(try wait() == 1)
        try stretch()
        #expect(isStretched(attempt()))
        #expect(isStretched(attempt(from: "203.0.113.9", agent: "another")))
        #expect(isStretched(attempt("secret1")))
    }

    @Test("each wait that was sat out is followed by one twice as long, up to a quarter of an hour")
    func doubling() throws {
        for _ in 1...5 { _ = attempt() }
        for expected in [2, 4, 8, 16] {
            _ = try stand.admin("update auth.delays set allowed_at = now()")
            #expect(attempt() == nil)
            #expect(try wait() == expected)
        }
        _ = try stand.admin("update auth.delays set attempts = 60, allowed_at = now()")
        #expect(attempt() == nil)
        #expect(try wait() == 900)
        #expect((800...900).contains(attempt() ?? 0))
    }

    @Test("a device the account was used from before is let in while others wait")
    func knownDevice() throws {
        _ = try stand.signIn(from: "192.0.2.44", agent: "Ann's laptop")
        for _ in 1...5 { _ = attempt() }
        try stretch()
        #expect(attempt("secret1") != nil)
        #expect(throws: Never.self) { try stand.signIn(from: "192.0.2.44", agent: "Ann's laptop") }
    }

    @Test("a known device waits half a minute at most")
    func knownDeviceWaits() throws {
        for _ in 1...5 { #expect(attempt(from: "192.0.2.1", agent: "tests") == nil) }
        _ = try stand.admin("update auth.delays set attempts = 60, allowed_at = now()")
        #expect(attempt(from: "192.0.2.1", agent: "tests") == nil)
        #expect(try wait() == 30)
        try stretch()
        #expect(isStretched(attempt(from: "192.0.2.1", agent: "tests")))
    }

    @Test("unknown addresses wait like known ones")
    func unknownAddress() throws {
        func attempt() -> AuthError? {
            do { _ = try stand.signIn("nobody@example.org", "wrong horse", from: "198.51.100.8") } catch { return error as? AuthError }
            return nil
        }
        for _ in 1...5 { #expect(attempt() == .invalidCredentials) }
        #expect(try wait() == 1)
        try stretch()
        #expect(isStretched(attempt()))
    }

    @Test("a network that tries many accounts waits, and its neighbours do not")
    func network() throws {
        func attempt(_ number: Int, from address: String) -> AuthError? {
            do { _ = try stand.signIn("user\(number)@example.org", "wrong horse", from: address) } catch { return error as? AuthError }
            return nil
        }
        for number in 1...30 { #expect(attempt(number, from: "2001:db8:0:1::\(number)") == .invalidCredentials) }
        #expect(try wait() == 1)
        try stretch()
        #expect(isStretched(attempt(31, from: "2001:db8:0:1::ffff")))
        #expect(attempt(31, from: "2001:db8:0:2::1") == .invalidCredentials)
    }

    @Test("an hour of quiet forgets everything")
    func forgotten() throws {
        for _ in 1...6 { _ = attempt() }
        _ = try stand.admin("update auth.delays set last_at = now() - interval '61 minutes', allowed_at = now() - interval '61 minutes'")
        for _ in 1...5 { #expect(attempt() == nil) }
    }

    @Test("many at once are many")
    func concurrent() async throws {
        // The wait after the fifth must not be over before the twentieth comes.
        var owner = try Connection(stand.database.conninfo("lectern_bootstrap"))
        try owner.script(
            """
            create function public.stretch() returns trigger language plpgsql as
                $$ begin new.allowed_at := new.allowed_at + interval '1 hour'; return new; end $$;
            create trigger stretch before update on auth.delays
                for each row when (new.allowed_at > '-infinity') execute function public.stretch();
            """)
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
