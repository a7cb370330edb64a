import PictureMessages
import Postgres

/// Reads and writes the pictures of a user's links, as that user: row-level security applies to jobs as it does to
/// clients.
struct PictureStore {
    let database: Database
    let settings: PictureSettings

    /// Runs the rest of the transaction as the jobs' login role, which has no rights on users' tables.
    private static let asRunner: SQL = "select set_config('role', 'none', true)"

    private static let asWorker: SQL = "select set_config('role', 'job_worker', true)"

    private static func owner(_ user: String) -> Identity {
        Identity(
            role: "job_worker", claims: #"{"sub":"\#(user)","role":"authenticated"}"#, statementTimeout: 30_000,
            applicationName: "lectern pictures")
    }

    /// The same for a transaction that writes: it waits for requests of the user that write several links; see
    /// sql/schema/write_locks.sql.
    private static func writer(_ user: String) -> Identity {
        var writer = owner(user)
        writer.lock = "rest.lock_single_write()"
        return writer
    }

    // MARK: - Listings

    /// The pictures that a link shows; nil when the link was deleted, and none before its page is read.
    func shown(by listing: PictureListing) throws(PostgresError) -> ShownPictures? {
        let rows = try database.transaction(
            as: Self.owner(listing.user),
            [
                """
                select coalesce(a.url, l.resolved_url, l.raw_url), a.content, l.image, l.icon,
                    l.state = 'ready' or a.content is not null,
                    exists (select from public.link_pictures p where p.link_id = l.id and p.kind = 'article')
                from public.links l left join public.articles a on a.link_id = l.id
                where l.id = \(listing.link)::uuid
                """
            ])[0]
        guard rows.count == 1, let page = rows.text(0, 0) else { return nil }
        guard rows.bool(0, 4) == true else { return ShownPictures() }
        // An article whose pictures were stored once stays listed, whatever the setting is now.
        let isListed = settings.mode == .onSave || listing.isWanted || rows.bool(0, 5) == true
        return ShownPictures(
            page: page, content: isListed ? rows.text(0, 1) : nil, preview: rows.text(0, 2), icon: rows.text(0, 3))
    }

    /// Stores the list of a link's pictures and ends the listing. A listing whose lease was lost writes nothing: it may
    /// have read an older article.
    func list(_ shown: ShownPictures, _ listing: PictureListing) throws(PostgresError) {
        _ = try database.transaction(
            as: Self.writer(listing.user),
            [
                """
                select rest.list_pictures(\(listing.link)::uuid, \(array: shown.pictures.map(\.kind))::text[],
                    \(array: shown.pictures.map(\.source))::text[], \(settings.maxPerArticle)::int)
                where private.holds_listing(\(listing.link)::uuid, \(listing.lease.number)::int)
                """,
                Self.asRunner, PictureQueue.finish(listing),
            ])
    }

    /// Ends a listing without a list.
    func giveUp(_ listing: PictureListing) throws(PostgresError) {
        _ = try database.transaction(
            as: Identity(role: "none", applicationName: "lectern pictures"),
            [PictureQueue.finish(listing, isIncomplete: true)])
    }

    // MARK: - Pictures

    struct Wanted: Equatable, Sendable {
        var use: PictureUse
        var source: String
        /// The URL of the page that shows it.
        var page: String
        /// The hash of the same picture, where its user has it already.
        var known: String?
    }

    /// - Returns: nil when no link shows the picture any more.
    func wanted(by job: PictureJob) throws(PostgresError) -> Wanted? {
        let rows = try database.transaction(
            as: Self.owner(job.user),
            [
                """
                select p.kind, p.source, coalesce(a.url, l.resolved_url, l.raw_url), rest.known_picture(p.id)
                from public.link_pictures p join public.links l on l.id = p.link_id
                    left join public.articles a on a.link_id = l.id
                where p.id = \(job.picture)::uuid and p.state = 'waiting'
                """
            ])[0]
        guard rows.count == 1, let use = rows.text(0, 0).flatMap(PictureUse.init), let source = rows.text(0, 1),
            let page = rows.text(0, 2)
        else { return nil }
        return Wanted(use: use, source: source, page: page, known: rows.text(0, 3))
    }

    /// Stores a picture whose file its user has already, and ends the job.
    ///
    /// - Returns: false when the user does not have the file.
    func reuse(_ job: PictureJob, hash: String) throws(PostgresError) -> Bool {
        let rows = try database.transaction(
            as: Self.writer(job.user),
            ["select rest.store_picture(\(job.picture)::uuid, \(hash), null, null, null, null, null)"])[0]
        guard rows.text(0, 0) != nil else { return false }
        try abandon(job)
        return true
    }

    /// Stores a picture whose file is at `address`, and ends the job.
    ///
    /// - Returns: the address at which it is stored; nil when it is not stored, with the reason in its row.
    func store(
        _ picture: RecodedPicture, hash: String, at address: PictureAddress, _ job: PictureJob
    ) throws(PostgresError) -> String? {
        try database.transaction(
            as: Self.writer(job.user),
            [
                """
                select rest.store_picture(\(job.picture)::uuid, \(hash), \(address.path),
                    \(picture.width)::int, \(picture.height)::int,
                    \(picture.bytes.count)::int, \(settings.quota)::bigint)
                """,
                Self.asRunner, PictureQueue.finish(job),
            ])[0].text(0, 0)
    }

    /// The address of a file with these contents, of any user.
    func file(with hash: String) throws(PostgresError) -> PictureAddress? {
        let rows = try database.transaction(
            as: Identity(role: "none", applicationName: "lectern pictures"), ["select private.picture_file(\(hash))"])[
                0]
        return rows.text(0, 0).flatMap(PictureAddress.init)
    }

    /// Stores the reason a picture is missing, and ends the job, or puts it back for another attempt after a delay.
    func fail(_ job: PictureJob, _ failure: PictureFailure, retryAfter delay: Duration?) throws(PostgresError) {
        let ending = delay.map { PictureQueue.retry(job, after: $0, failure) } ?? PictureQueue.finish(job)
        _ = try database.transaction(
            as: Self.writer(job.user),
            [
                """
                update public.link_pictures
                set state = \(delay == nil ? "failed" : "waiting"),
                    reason = \(failure.shownReason), message = \(failure.shownMessage)
                where id = \(job.picture)::uuid and state = 'waiting'
                """,
                Self.asRunner, ending,
            ])
    }

    /// Ends the job of a picture that is stored already, or that no link shows any more.
    func abandon(_ job: PictureJob) throws(PostgresError) {
        _ = try database.transaction(
            as: Identity(role: "none", applicationName: "lectern pictures"), [PictureQueue.finish(job)])
    }

    // MARK: - Pictures that no link shows

    /// Removes pictures that no link shows any more, a few at a time.
    ///
    /// - Returns: whether there are more.
    func removeUnshown() throws(PostgresError) -> Bool {
        let unused = try database.transaction(
            as: Identity(role: "none", applicationName: "lectern pictures"),
            ["select user_id, hash from private.unused_pictures limit \(literal: Self.unusedAtOnce)"])[0]
        for row in 0..<unused.count {
            guard let user = unused.text(row, 0), let hash = unused.text(row, 1) else { continue }
            _ = try database.transaction(
                as: Self.writer(user),
                [
                    // The note is deleted first: a transaction that adds the same note holds its row, and has committed
                    // its change when drop_picture looks at the picture.
                    Self.asRunner,
                    "delete from private.unused_pictures where user_id = \(user)::uuid and hash = \(hash)",
                    Self.asWorker, "select rest.delete_unused_picture(\(user)::uuid, \(hash))",
                ])
        }
        return unused.count == Self.unusedAtOnce
    }

    private static let unusedAtOnce = 200
}
