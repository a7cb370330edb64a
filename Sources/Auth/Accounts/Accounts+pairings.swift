import HTTP
import JSON
import Postgres

/// Pairing: another device gets an API token of its own by a code that a signed-in device shows.
extension Accounts {
    /// How long a code works, as a PostgreSQL interval.
    private static let pairingLifetime = "10 minutes"
    /// The codes of one user that work at the same time. A new one replaces the oldest.
    private static let maxPairings = 5

    /// `POST /pairings` `{password?}`: makes a code. It requires the password or a sign-in shortly before, as a token
    /// does, because it gives one.
    ///
    /// - Parameter drawing: draws a text as a QR code, as SVG.
    public func startPairing(_ caller: Caller, _ body: [UInt8], drawing: (String) -> String?) throws -> Response {
        let form: PairingForm = try form(body.isEmpty ? Array("{}".utf8) : body)
        let (user, session) = try checkedIdentity(caller)
        try reauthenticate(user, session, password: form.password, member: "password")
        let code = PairingCode()
        let url = "\(rules.publicURL)/pair/#\(code.text)"
        let rows = try run([
            """
            delete from auth.pairings where id in (
                select id from auth.pairings where expires_at <= now() limit 100 for update skip locked)
            """,
            """
            delete from auth.pairings where id in (
                select id from auth.pairings where user_id = \(user)::uuid
                order by created_at desc, id offset \(literal: Self.maxPairings - 1))
            """,
            """
            insert into auth.pairings (user_id, code_hash, expires_at)
            values (\(user)::uuid, decode(\(code.hash), 'hex'), now() + \(Self.pairingLifetime)::interval)
            returning to_json(expires_at)
            """,
        ])[2]
        return Response(
            status: 201,
            json: JSONText.object([
                ("code", JSONText.string(code.text)), ("url", JSONText.string(url)),
                ("expires_at", rows.text(0, 0) ?? "null"), ("qr", JSONText.string(drawing(url))),
            ]))
    }

    /// `POST /pairings/claim` `{code, device?}`: exchanges a code for an API token of scope `full` that is named after
    /// the device. Whoever has the code needs no other credentials.
    public func claimPairing(_ body: [UInt8]) throws -> Response {
        let form: ClaimForm = try form(body)
        let device = form.device?.trimmingBlanks ?? ""
        guard device.count <= 100 else {
            throw AuthError.validationFailed("device must have at most 100 characters")
        }
        guard let text = form.code, !text.isEmpty else { throw AuthError.validationFailed("code required") }
        let subject = "pairing \(origin.network)"
        // Counted before the look-up, so that concurrent guesses are all counted.
        try checkAttempt(subject, free: 10, maxDelay: "15 minutes")
        guard let code = PairingCode(text) else { throw AuthError.pairingCodeExpired }
        let token = PersonalToken()
        let rows = try run([claim(code, token, named: device.isEmpty ? "Paired device" : device, subject)])[0]
        guard rows.count == 1, let id = rows.text(0, 0), let email = rows.text(0, 1) else {
            try checkTokenCount(code)
            throw AuthError.pairingCodeExpired
        }
        return Response(
            status: 201,
            json: JSONText.object([
                ("token", JSONText.string(token.text)), ("email", JSONText.string(email)), ("id", JSONText.string(id)),
            ]))
    }

    /// The statement that uses up a code and makes the token. The attempt is not counted then.
    private func claim(_ code: PairingCode, _ token: PersonalToken, named name: String, _ subject: String) -> SQL {
        """
        with used as (
            delete from auth.pairings
            where code_hash = decode(\(code.hash), 'hex') and expires_at > now()
                and exists (
                    select from auth.users
                    where users.id = pairings.user_id and (banned_until is null or banned_until <= now()))
                and (select count(*) from auth.api_tokens where api_tokens.user_id = pairings.user_id)
                    < \(literal: Self.maxTokens)
            returning user_id
        ), made as (
            insert into auth.api_tokens (user_id, name, scope, prefix, token_hash)
            select user_id, \(name), 'full', \(token.prefix), decode(\(token.hash), 'hex') from used
            returning id, user_id
        ), forgiven as (
            update auth.delays set attempts = greatest(attempts - 1, 0), allowed_at = '-infinity'
            where subject = \(subject) and exists (select from made)
        )
        select made.id, users.email from made join auth.users on users.id = made.user_id
        """
    }

    /// - Throws: `conflict` if the code is right and its user has no room for another token.
    private func checkTokenCount(_ code: PairingCode) throws {
        let rows = try run([
            """
            select (select count(*) from auth.api_tokens where api_tokens.user_id = pairings.user_id)
            from auth.pairings where code_hash = decode(\(code.hash), 'hex') and expires_at > now()
            """
        ])[0]
        if rows.count == 1, let count = rows.int(0, 0), count >= Self.maxTokens {
            throw AuthError.conflict(
                "You have \(Self.maxTokens) tokens, which is the maximum. Revoke a token that you no longer need.")
        }
    }

    private struct PairingForm: Decodable {
        var password: String?
    }

    private struct ClaimForm: Decodable {
        var code: String?
        var device: String?
    }
}
