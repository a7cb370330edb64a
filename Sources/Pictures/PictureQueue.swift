import Jobs
import Postgres

/// The two queues of pictures, as one thread sees them: `private.picture_listings` lists the pictures of links,
/// `private.picture_jobs` fetches pictures.
struct PictureQueue {
    private let listingQueue: LeasedQueue
    private let jobQueue: LeasedQueue
    /// How many rows of one user may be leased at once.
    private let placesOfUser: Int
    private let mode: PictureSettings.Mode

    private static let listings: LeaseStatements = {
        var table = LeaseStatements("picture_listings", key: "link_id", keyType: "uuid")
        table.interruptions = "attempts"
        return table
    }()

    private static let jobs: LeaseStatements = {
        var table = LeaseStatements("picture_jobs", key: "picture_id", keyType: "uuid")
        table.interruptions = "interruptions"
        return table
    }()

    /// - Parameters:
    ///   - lease: seconds a lease lasts without renewal.
    ///   - parallel: the number of threads. Some are left for other users than the one with the most pictures.
    init(database: Database, lease: Int, parallel: Int, mode: PictureSettings.Mode) {
        self.mode = mode
        placesOfUser = max(1, parallel - max(1, parallel / 8))
        listingQueue = LeasedQueue(Self.listings, database, seconds: lease, applicationName: "lectern pictures")
        jobQueue = LeasedQueue(Self.jobs, database, seconds: lease, applicationName: "lectern pictures")
    }

    /// Leases a link whose pictures are to be listed.
    func takeListing() throws(PostgresError) -> PictureListing? {
        let rows = try listingQueue.lease(
            from: inTurns(Self.listings), returning: "link_id, user_id, lease, is_wanted, attempts")
        guard rows.count == 1, let link = rows.text(0, 0), let user = rows.text(0, 1), let lease = rows.int(0, 2),
            let isWanted = rows.bool(0, 3), let interruptions = rows.int(0, 4)
        else { return nil }
        return PictureListing(
            link: link, user: user, lease: Lease(key: link, number: lease), isWanted: isWanted,
            interruptions: interruptions)
    }

    /// Leases a picture that is to be fetched.
    func takeJob() throws(PostgresError) -> PictureJob? {
        let rows = try jobQueue.lease(
            from: inTurns(Self.jobs), returning: "picture_id, user_id, lease, attempts + 1, interruptions")
        guard rows.count == 1, let picture = rows.text(0, 0), let user = rows.text(0, 1), let lease = rows.int(0, 2),
            let attempt = rows.int(0, 3), let interruptions = rows.int(0, 4)
        else { return nil }
        return PictureJob(
            picture: picture, user: user, lease: Lease(key: picture, number: lease), attempt: attempt,
            interruptions: interruptions)
    }

    /// Selects the row whose turn it is. Users take turns: the next row is one of the user with the fewest leased rows,
    /// of several such users a random one. Among the rows of a user the one that has been due longest comes first.
    ///
    /// Users with waiting rows are found by one index lookup for each, and no more rows of a user are read than may be
    /// leased, since other threads may have locked the first ones.
    private func inTurns(_ table: LeaseStatements) -> SQL {
        """
        with recursive users (user_id) as (
            (select user_id from private.\(name: table.name) where state = 'pending' order by user_id limit 1)
            union all
            select further.user_id from users, lateral (
                select user_id from private.\(name: table.name)
                where state = 'pending' and user_id > users.user_id
                order by user_id
                limit 1
            ) as further
        ), turns as (
            select waiting.key, busy.rows + row_number() over (
                partition by users.user_id order by waiting.run_at, waiting.key) as turn
            from users, lateral (
                select count(*) as rows from private.\(name: table.name)
                where state = 'running' and user_id = users.user_id
            ) as busy, lateral (
                select \(name: table.key) as key, run_at from private.\(name: table.name)
                where state = 'pending' and user_id = users.user_id and run_at <= now()
                order by run_at
                limit greatest(0, \(placesOfUser)::int - busy.rows)
            ) as waiting
        )
        select queue.\(name: table.key)
        from turns join private.\(name: table.name) as queue on queue.\(name: table.key) = turns.key
        where queue.state = 'pending'
        order by turns.turn, random()
        limit 1
        for update of queue skip locked
        """
    }

    /// Renews the leases of running jobs.
    func renew(_ jobs: [PictureJob]) throws(PostgresError) { try jobQueue.renew(jobs.map(\.lease)) }

    /// Hands a job back as if it had not been leased.
    func handBack(_ job: PictureJob, after delay: Duration, _ why: PictureFailure? = nil) throws(PostgresError) {
        try jobQueue.change(
            job.lease,
            set: """
                \(Self.jobs.waitingAgain(after: delay)), interruptions = 0,
                    reason = \(why?.reason), message = \(why?.message)
                """)
    }

    /// The milliseconds until a row of either queue may be leased, at most `limit`. While pictures are switched off,
    /// their jobs wait.
    func millisecondsToNext(limit: Int) throws(PostgresError) -> Int {
        let next = try listingQueue.millisecondsToNext(beside: mode == .off ? [] : [Self.jobs])
        return min(max(next ?? limit, 0), limit)
    }

    /// Puts listings back that ended without a list.
    func requeueIncompleteListings() throws(PostgresError) {
        try listingQueue.run(
            """
            update private.picture_listings set state = 'pending', run_at = now(), is_incomplete = false
            where is_incomplete and state = 'done'
            """)
    }

    // MARK: - Statements that end a lease, for the transaction that stores the result

    static func finish(_ job: PictureJob) -> SQL { jobs.deleting(job.lease) }

    /// - Parameter isIncomplete: the listing ends without a list.
    static func finish(_ listing: PictureListing, isIncomplete: Bool = false) -> SQL {
        listings.changing(
            listing.lease,
            set: "state = 'done', leased_until = null, attempts = 0, is_incomplete = \(isIncomplete)")
    }

    static func retry(_ job: PictureJob, after delay: Duration, _ why: PictureFailure) -> SQL {
        jobs.changing(
            job.lease,
            set: """
                \(jobs.waitingAgain(after: delay)), attempts = attempts + 1, interruptions = 0,
                    reason = \(why.reason), message = \(why.message)
                """)
    }
}
