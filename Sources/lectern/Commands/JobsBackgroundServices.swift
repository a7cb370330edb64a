import Books
import Export
import HTTPFetch
import Jobs
import Mail
import PictureMessages
import Pictures
import Postgres
import Processes
import Saving
import Settings
import Telemetry

/// The services that the jobs process runs besides the queue of saved links.
struct JobsBackgroundServices {
    /// Rules for their settings that the table of settings does not express.
    static let rules: Settings.Rules = [
        "SMTP_URL": { value in
            guard !value.isEmpty else { return nil }
            do throws(SMTPServer.Malformed) { _ = try SMTPServer(value) } catch { return error.description }
            return nil
        },
        "MAIL_FROM": { value in
            guard !value.isEmpty else { return nil }
            do throws(MailAddress.Malformed) { _ = try MailAddress(value) } catch {
                return "must be an e-mail address"
            }
            return nil
        },
    ]

    let settings: Settings
    let database: Database
    let log: Log

    func all() throws -> [BackgroundService] { [try mails(), try pictures()] + books() + exports() }

    private func pictures() throws -> BackgroundService {
        var options = PictureSettings(
            database, folder: settings.text("PICTURES_DIR"),
            program: OwnProgram.sibling("lectern-pictures") ?? "lectern-pictures")
        options.mode = PictureSettings.Mode(rawValue: settings.text("PICTURES")) ?? .onSave
        options.quota = settings.number("PICTURE_QUOTA")
        options.parallel = settings.number("PICTURES_PARALLEL")
        options.lease = settings.number("JOBS_LEASE")
        options.retryBase = settings.number("JOBS_RETRY_BASE")
        let workers = PictureWorkers(
            options, fetch: try FetchSettings(settings), limits: pictureLimits
        ) { [log] event in log(LoggedEvent(event)) }
        return BackgroundService(run: workers.run, stop: workers.stop)
    }

    private var pictureLimits: PictureLimits {
        var limits = PictureLimits()
        limits.sourceBytes = settings.number("PICTURE_BYTES")
        limits.pixels = settings.number("PICTURE_PIXELS")
        limits.seconds = settings.number("PICTURE_TIMEOUT")
        limits.memoryBytes = settings.number("PICTURE_MEMORY")
        return limits
    }

    /// Two services: one makes the book of each article, one makes books of several articles.
    private func books() -> [BackgroundService] {
        var options = BookWorker.Options(
            database, folder: settings.text("BOOKS_DIR"), pictures: settings.text("PICTURES_DIR"),
            program: OwnProgram.sibling("lectern-pictures") ?? "lectern-pictures")
        options.limits = pictureLimits
        options.lease = settings.number("JOBS_LEASE")
        options.retryBase = settings.number("JOBS_RETRY_BASE")
        let worker = BookWorker(options) { [log] event in log(LoggedEvent(event)) }
        let maker = MadeBookWorker(options) { [log] event in log(LoggedEvent(event)) }
        return [
            BackgroundService(run: worker.run, stop: worker.stop), BackgroundService(run: maker.run, stop: maker.stop),
        ]
    }

    /// Two services: one writes files, one deletes them.
    private func exports() -> [BackgroundService] {
        var options = ExportWorker.Options(
            database, folder: settings.text("EXPORTS_DIR"),
            stored: StoredFolders(pictures: settings.text("PICTURES_DIR"), documents: settings.text("DOCUMENTS_DIR")))
        options.lease = settings.number("JOBS_LEASE")
        options.retryBase = settings.number("JOBS_RETRY_BASE")
        let worker = ExportWorker(options) { [log] event in log(LoggedEvent(event)) }
        return [
            BackgroundService(run: worker.write, stop: worker.stop),
            BackgroundService(run: worker.sweep, stop: worker.stop),
        ]
    }

    private func mails() throws -> BackgroundService {
        let server = settings.text("SMTP_URL")
        var options = MailWorker.Options(server: server.isEmpty ? nil : try SMTPServer(server), sender: try sender())
        options.timeout = settings.number("SMTP_TIMEOUT")
        let books = BookFileReader(folder: settings.text("BOOKS_DIR"), maxBytes: 50_000_000)
        options.readBook = books.read
        options.retryBase = settings.number("JOBS_RETRY_BASE")
        let worker = MailWorker(database, options) { [log] event in log(LoggedEvent(event)) }
        return BackgroundService(run: worker.run, stop: worker.stop)
    }

    private func sender() throws -> MailAddress {
        let given = settings.text("MAIL_FROM")
        guard given.isEmpty else { return try MailAddress(given) }
        return try MailAddress(atHostOf: settings.text("PUBLIC_URL"), local: "lectern")
    }
}

extension LoggedEvent {
    init(_ event: MailWorker.Event) {
        switch event {
        case .databaseUnavailable(let error): self = .databaseUnavailable(reason: String(describing: error))
        case .sent(let mail, let kind, let attempt): self = .mailSent(mail: mail, kind: kind, attempt: attempt)
        case .putOff(let mail, let kind, let attempt, let why, let seconds):
            self = .mailPutOff(mail: mail, kind: kind, attempt: attempt, why: why, seconds: seconds)
        case .failed(let mail, let kind, let attempt, let why):
            self = .mailFailed(mail: mail, kind: kind, attempt: attempt, why: why)
        case .unsendable(let mail, let kind): self = .mailUnsendable(mail: mail, kind: kind)
        }
    }
}

extension LoggedEvent {
    init(_ event: BookWorker.Event) {
        switch event {
        case .databaseUnavailable(let error): self = .databaseUnavailable(reason: String(describing: error))
        case .putOff(let book, let attempt, let why, let seconds):
            self = .bookPutOff(book: book, attempt: attempt, why: why, seconds: seconds)
        case .failed(let book, let why): self = .bookFailed(book: book, why: why)
        case .outage(let why): self = .booksOutage(why: why)
        }
    }
}

extension LoggedEvent {
    init(_ event: ExportWorker.Event) {
        switch event {
        case .databaseUnavailable(let error): self = .databaseUnavailable(reason: String(describing: error))
        case .ready(let export, let summary):
            self = .exportReady(export: export, rows: summary.rows, articles: summary.articles, bytes: summary.bytes)
        case .putOff(let export, let attempt, let why, let seconds):
            self = .exportPutOff(export: export, attempt: attempt, why: why, seconds: seconds)
        case .failed(let export, let why): self = .exportFailed(export: export, why: why)
        case .dropped(let export): self = .exportDropped(export: export)
        }
    }
}

extension LoggedEvent {
    init(_ event: PictureWorkers.Event) {
        switch event {
        case .databaseUnavailable(let error): self = .databaseUnavailable(reason: String(describing: error))
        case .outage(let why): self = .picturesOutage(why: why)
        case .swept(let report):
            self = .picturesSwept(
                files: report.filesRemoved, lost: report.picturesLost, unused: report.picturesUnused,
                isOutOfReach: report.isOutOfReach)
        }
    }
}
