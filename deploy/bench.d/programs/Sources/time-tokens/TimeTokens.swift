import Auth

/// Times the verification of a token that is not cached. Prints one line per token: its name, and microseconds.
@main
enum TimeTokens {
    private static let now = 1_800_000_000
    /// The claims that `Accounts` signs for a user with some metadata.
    private static let user = """
        {"iss":"https://read.example.org/auth/v1","sub":"00000000-0000-4000-8000-000000000001","aud":"authenticated",\
        "exp":\(now + 3_600),"iat":\(now),"email":"somebody@example.org","phone":"",\
        "app_metadata":{"provider":"email","providers":["email"]},\
        "user_metadata":{"email":"somebody@example.org","name":"Somebody Someone","locale":"en"},\
        "role":"authenticated","aal":"aal1","amr":[{"method":"password","timestamp":\(now)}],\
        "session_id":"00000000-0000-4000-8000-000000000002","is_anonymous":false}
        """

    static func main() throws {
        let key = JWTKey(secret: "a secret as long as those that deploy/run makes, 48 bytes")
        for (name, token) in [("user", key.sign(payload: user)), ("key", APIKeys(key).anon)] {
            var length = 0
            let rounds = 20_000
            // The first rounds warm caches and are not timed.
            for _ in 0..<1_000 { length += try key.verify(token, now: now).claims.utf8.count }
            let start = ContinuousClock.now
            for _ in 0..<rounds { length += try key.verify(token, now: now).claims.utf8.count }
            let time = (ContinuousClock.now - start) / rounds
            precondition(length > 0)
            print(name, Double(time.components.attoseconds) / 1e12, separator: "\t")
        }
    }
}
