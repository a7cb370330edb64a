import HTTP
import Postgres

/// A user's personal API tokens.
extension Accounts {
    /// The maximum number of tokens of one user.
    static let maxTokens = 100

    /// `GET /tokens`: the personal API tokens, without their texts.
    public func tokens(_ caller: Caller) throws -> Response {
        let (user, _) = try checkedIdentity(caller)
        return try list(
            """
            select id, name, scope, prefix, created_at, expires_at, last_used_at, last_used_address
            from auth.api_tokens where user_id = \(user)::uuid order by created_at desc, id
            """)
    }

    /// `POST /tokens` `{name, scope, expires_in?, password?}` (seconds): creates a token. Only this response contains
    /// its text. It requires the password or a sign-in shortly before, because a token outlives the session.
    public func makeToken(_ caller: Caller, _ body: [UInt8]) throws -> Response {
        let form: TokenForm = try form(body)
        let (user, session) = try checkedIdentity(caller)
        guard let name = form.name?.trimmingBlanks, (1...100).contains(name.count) else {
            throw AuthError.validationFailed("name must have 1 to 100 characters")
        }
        guard let scope = form.scope.flatMap(PersonalToken.Scope.init) else {
            let scopes = PersonalToken.Scope.allCases.map(\.rawValue).joined(separator: ", ")
            throw AuthError.validationFailed("scope must be one of \(scopes)")
        }
        if let seconds = form.expires_in, !(60...3_153_600_000).contains(seconds) {
            throw AuthError.validationFailed("expires_in must be a number of seconds from 60 to 3153600000")
        }
        try reauthenticate(user, session, password: form.password, member: "password")
        let token = PersonalToken()
        let rows = try run([
            "select pg_advisory_xact_lock(hashtextextended('tokens of ' || \(user), 0))",
            """
            insert into auth.api_tokens (user_id, name, scope, prefix, token_hash, expires_at)
            select \(user)::uuid, \(name), \(scope.rawValue), \(token.prefix), decode(\(token.hash), 'hex'),
                now() + \(form.expires_in)::int8 * interval '1 second'
            where (select count(*) from auth.api_tokens where user_id = \(user)::uuid) < \(literal: Self.maxTokens)
            returning json_build_object(
                'id', id, 'name', name, 'scope', scope, 'prefix', prefix, 'created_at', created_at,
                'expires_at', expires_at, 'last_used_at', null, 'last_used_address', null, 'token', \(token.text)::text)
            """,
        ])[1]
        guard rows.count == 1, let made = rows.text(0, 0) else {
            throw AuthError.conflict(
                "You have \(Self.maxTokens) tokens, which is the maximum. Revoke a token that you no longer need.")
        }
        return Response(status: 201, json: made)
    }

    /// `DELETE /tokens/<id>`: revokes a token.
    public func revokeToken(_ caller: Caller, _ id: String) throws -> Response {
        let (user, _) = try checkedIdentity(caller)
        return try remove(
            "token", "delete from auth.api_tokens where id::text = \(id.lowercased()) and user_id = \(user)::uuid")
    }

    /// The statement that revokes all tokens of a user.
    static func tokenRevocation(_ user: String) -> SQL { "delete from auth.api_tokens where user_id = \(user)::uuid" }

    private struct TokenForm: Decodable {
        var name: String?
        var scope: String?
        var expires_in: Int?
        var password: String?
    }
}
