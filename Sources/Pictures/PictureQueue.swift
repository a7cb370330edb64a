import Postgres

/// One lease of one picture's job.
struct PictureJob: Hashable, Sendable {
    var picture: String
    var user: String
    /// With `picture` the token of the lease: it opens as long as nobody has taken the job since.
    var lease: Int
    /// Which try this is, from 1.
    var attempt: Int
    /// Leases before this one, in a row, that ended without a word.
    var interruptions: Int
}

/// One lease of one link's list.
struct PictureListing: Hashable, Sendable {
    var link: String
    var user: String
    var lease: Int
    /// Whether its user has opened the link.
    var isWanted: Bool
    /// Leases before this one that ended without a word.
    var interruptions: Int
}

/// `private.picture_listings` and `private.picture_jobs`, as one thread sees them.
struct PictureQueue {
    let database: Database
    /// Seconds a lease holds without renewal.
    let lease: Int

    private static let identity = Identity(role: "none", statementTimeout: 30_000, applicationName: "lectern pictures")

    /// The one to be taken: whose lease ran out, else which is due. Two questions, since each has an index and both together
    /// would read and sort all that waits.
    private static func next(_ key: String, of table: String) -> SQL {
        let key = SQL.name(key), table: SQL = "private.\(name: table)"
        return """
            coalesce(
                (select \(key) from \(table) where state = 'running' and leased_until < now()
                    order by leased_until limit 1 for update skip locked),
                (select \(key) from \(table) where state = 'pending' and run_at <= now()
                    order by run_at limit 1 for update skip locked))
            """
    }

    /// Takes a link whose pictures are to be listed.
    func takeSurvey() throws(PostgresError) -> PictureListing? {
        let rows = try run(
            """
            update private.picture_listings
            set state = 'running', lease = lease + 1, attempts = attempts + (state = 'running')::int,
                leased_until = now() + make_interval(secs => \(lease)::int)
            where link_id = \(Self.next("link_id", of: "picture_listings"))
            returning link_id, user_id, lease, is_wanted, attempts
            """)
        guard rows.count == 1, let link = rows.text(0, 0), let user = rows.text(0, 1), let lease = rows.int(0, 2),
            let isWanted = rows.bool(0, 3), let interruptions = rows.int(0, 4)
        else { return nil }
        return PictureListing(link: link, user: user, lease: lease, isWanted: isWanted, interruptions: interruptions)
    }

    /// Takes a picture that is to be fetched.
    func takeJob() throws(PostgresError) -> PictureJob? {
        let rows = try run(
            """
            update private.picture_jobs
            set state = 'running', lease = lease + 1, interruptions = interruptions + (state = 'running')::int,
                leased_until = now() + make_interval(secs => \(lease)::int)
            where picture_id = \(Self.next("picture_id", of: "picture_jobs"))
            returning picture_id, user_id, lease, attempts + 1, interruptions
            """)
        guard rows.count == 1, let picture = rows.text(0, 0), let user = rows.text(0, 1), let lease = rows.int(0, 2),
            let attempt = rows.int(0, 3), let interruptions = rows.int(0, 4)
        else { return nil }
        return PictureJob(picture: picture, user: user, lease: lease, attempt: attempt, interruptions: interruptions)
    }

    /// Says that these are still worked on.
    func renew(_ jobs: [PictureJob]) throws(PostgresError) {
        guard !jobs.isEmpty else { return }
        _ = try run(
            """
            update private.picture_jobs set leased_until = now() + make_interval(secs => \(lease)::int)
            from unnest(\(array: jobs.map(\.picture))::uuid[], \(array: jobs.map { String($0.lease) })::int[]) as held (picture_id, lease)
            where picture_jobs.picture_id = held.picture_id and picture_jobs.lease = held.lease and state = 'running'
            """)
    }

    /// As if it had not been taken; to be taken again after so many seconds.
    func handBack(_ job: PictureJob, seconds: Int, _ why: PictureFailure? = nil) throws(PostgresError) {
        _ = try run(
            """
            update private.picture_jobs
            set state = 'pending', run_at = now() + make_interval(secs => \(seconds)::int), leased_until = null, interruptions = 0,
                reason = \(why?.reason), message = \(why?.message)
            where \(Self.isHeld(job))
            """)
    }

    func handBack(_ survey: PictureListing, seconds: Int) throws(PostgresError) {
        _ = try run(
            """
            update private.picture_listings
            set state = 'pending', run_at = now() + make_interval(secs => \(seconds)::int), leased_until = null
            where \(Self.isHeld(survey))
            """)
    }

    /// Milliseconds until there is something to take, at most `most`.
    func millisecondsToNext(most: Int) throws(PostgresError) -> Int {
        let rows = try run(
            """
            select least(\(most)::int, greatest(0, coalesce(ceil(extract(epoch from min(due) - now()) * 1000), \(most)::int)))::int
            from (
                (select run_at as due from private.picture_listings where state = 'pending' order by run_at limit 1)
                union all
                (select leased_until from private.picture_listings where state = 'running' order by leased_until limit 1)
                union all
                (select run_at from private.picture_jobs where state = 'pending' order by run_at limit 1)
                union all
                (select leased_until from private.picture_jobs where state = 'running' order by leased_until limit 1)
            ) as next
            """)
        return rows.int(0, 0) ?? most
    }

    /// Puts back what ended without a list.
    func surveyAgain() throws(PostgresError) {
        _ = try run(
            """
            update private.picture_listings set state = 'pending', run_at = now(), is_unlisted = false
            where is_unlisted and state = 'done'
            """)
    }

    // MARK: - Statements that end a lease, for the transaction that says what came of it

    static func finish(_ job: PictureJob) -> SQL { "delete from private.picture_jobs where \(isHeld(job))" }

    /// - Parameter isUnlisted: it ends without a list.
    static func finish(_ survey: PictureListing, isUnlisted: Bool = false) -> SQL {
        """
        update private.picture_listings set state = 'done', leased_until = null, attempts = 0, is_unlisted = \(isUnlisted)
        where \(isHeld(survey))
        """
    }

    static func retry(_ job: PictureJob, after delay: Duration, _ why: PictureFailure) -> SQL {
        """
        update private.picture_jobs
        set state = 'pending', run_at = now() + make_interval(secs => \(Int(clamping: delay.components.seconds) + 1)::int),
            leased_until = null, attempts = attempts + 1, interruptions = 0, reason = \(why.reason), message = \(why.message)
        where \(isHeld(job))
        """
    }

    private static func isHeld(_ job: PictureJob) -> SQL {
        "picture_id = \(job.picture)::uuid and lease = \(job.lease)::int and state = 'running'"
    }

    private static func isHeld(_ survey: PictureListing) -> SQL {
        "link_id = \(survey.link)::uuid and lease = \(survey.lease)::int and state = 'running'"
    }

    private func run(_ sql: SQL) throws(PostgresError) -> Rows { try database.transaction(as: Self.identity, [sql])[0] }
}
