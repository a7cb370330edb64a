/// One setting: its name behind `LECTERN_`, what it means with its unit, its default, and what it may be.
public struct Setting: Sendable {
    public var name: String
    public var help: String
    /// Nil: the setting has no default, and a program that needs it says so.
    public var `default`: String?
    public var kind: Kind
    /// Hidden wherever settings are shown.
    public var isSecret = false

    public enum Kind: Sendable, Equatable {
        case text
        case number(ClosedRange<Int>)
        case choice([String])
    }

    /// What is wrong with a value, or nil.
    func complaint(about value: String) -> String? {
        switch kind {
        case .text:
            return value.utf8.contains(0) ? "must not hold a NUL character" : nil
        case .number(let range):
            guard let number = Int(value), range.contains(number) else {
                return "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
            }
            return nil
        case .choice(let words):
            return words.contains(value) ? nil : "must be one of \(words.joined(separator: ", "))"
        }
    }
}

extension Setting {
    /// Every setting there is.
    public static let all: [Setting] = [
        // Where it listens and what it is called. deploy/run and nginx read the first three.
        Setting(name: "PORT", help: "TCP port nginx listens on", default: "8080", kind: .number(1...65_535)),
        Setting(name: "LISTEN", help: "address nginx listens on", default: "127.0.0.1", kind: .text),
        Setting(name: "TRUSTED_PROXIES", help: "comma list of addresses or networks of proxies whose X-Forwarded-For is believed", default: "", kind: .text),
        Setting(name: "PUBLIC_URL", help: "address people and clients use, without a slash at the end", default: "http://127.0.0.1:8080", kind: .text),

        // Accounts.
        Setting(name: "SIGNUP", help: "who may sign up", default: "open", kind: .choice(["open", "invite", "closed"])),
        Setting(name: "RATE_LIMITS", help: "off ends every rate limit and delay", default: "on", kind: .choice(["on", "off"])),
        Setting(name: "TOKEN_LIFETIME", help: "seconds an access token lives", default: "3600", kind: .number(60...86_400)),
        Setting(name: "COMMON_PASSWORDS", help: "file of passwords nobody may choose, one a line; of Debian's john-data", default: "/usr/share/john/password.lst", kind: .text),
        Setting(name: "JWT_SECRET", help: "secret that signs tokens and keys, at least 32 characters", kind: .text, isSecret: true),
        Setting(name: "JWT_PREVIOUS_SECRETS", help: "comma list of secret@epoch: secrets before this one, and until when their tokens and keys are taken", default: "", kind: .text, isSecret: true),
        Setting(name: "METRICS_TOKEN", help: "bearer token for /metrics; without one only the workers' own socket answers", default: "", kind: .text, isSecret: true),

        // Mail.
        Setting(name: "SMTP_URL", help: "mail server, as smtp://user:password@host:587 or smtps://…; empty: mails wait for `lectern mail`", default: "", kind: .text, isSecret: true),
        Setting(name: "SMTP_TIMEOUT", help: "seconds the mail server may take for one mail", default: "30", kind: .number(1...600)),
        Setting(name: "MAIL_FROM", help: "address mails come from; empty: lectern@ the host of the public URL", default: "", kind: .text),

        // PostgreSQL: a libpq keyword string or URI a role.
        Setting(name: "DATABASE", help: "connection of the workers (role authenticator)", kind: .text, isSecret: true),
        Setting(name: "JOBS_DATABASE", help: "connection of the jobs (role lectern_jobs)", kind: .text, isSecret: true),
        Setting(name: "STATEMENT_TIMEOUT", help: "milliseconds one statement may run", default: "4500", kind: .number(100...60_000)),

        // The worker pool.
        Setting(name: "SQL_DIR", help: "directory of the SQL files, whose schema the database must have", default: "sql", kind: .text),
        Setting(name: "RUN_DIR", help: "directory of sockets, locks and the scoreboard", default: "run", kind: .text),
        Setting(name: "FCGI_SOCKET", help: "unix socket of the worker pool; empty: fcgi.sock in the run directory", default: "", kind: .text),
        Setting(name: "WORKERS", help: "worker processes, 24 at most; 0: one a processor", default: "0", kind: .number(0...24)),
        Setting(name: "THREADS", help: "threads a worker, each with a database connection", default: "8", kind: .number(1...256)),
        Setting(name: "RECYCLE_AFTER", help: "requests after which a worker is replaced; 0: never", default: "1000000", kind: .number(0...1_000_000_000)),
        Setting(name: "DRAIN_TIMEOUT", help: "seconds a stopping service has to finish what it works on", default: "5", kind: .number(1...600)),
        Setting(name: "BODY_LIMIT", help: "bytes of the largest request body", default: "10485760", kind: .number(1_024...104_857_600)),

        // Jobs and fetching.
        Setting(name: "JOBS_PARALLEL", help: "saved links worked on at once", default: "16", kind: .number(1...256)),
        Setting(name: "JOBS_ATTEMPTS", help: "tries before a job is buried", default: "5", kind: .number(1...50)),
        Setting(name: "JOBS_LEASE", help: "seconds a job may go without a sign of life before another takes it", default: "60", kind: .number(5...3_600)),
        Setting(name: "JOBS_RETRY_BASE", help: "seconds before the first retry; doubles each time", default: "30", kind: .number(1...3_600)),
        Setting(name: "EXPORTS_DIR", help: "directory of the files that users export, served by nginx", default: "exports", kind: .text),
        Setting(name: "FETCH_ALLOW", help: "comma list of host, address or network, each with optional :port, that the fetcher may reach although private", default: "", kind: .text),
        Setting(name: "FETCH_PROXY", help: "proxy all fetches go through, as URL", default: "", kind: .text, isSecret: true),
        Setting(name: "FETCH_TIMEOUT", help: "seconds one fetch may take in all", default: "25", kind: .number(1...600)),
        Setting(name: "FETCH_STALL_TIMEOUT", help: "seconds a fetch may go without progress", default: "20", kind: .number(1...600)),
        Setting(name: "FETCH_COMPRESSED_LIMIT", help: "bytes of the largest page as sent", default: "10485760", kind: .number(1_024...104_857_600)),
        Setting(name: "FETCH_INFLATED_LIMIT", help: "bytes of the largest page unpacked, and once more as UTF-8", default: "20971520", kind: .number(1_024...104_857_600)),
        Setting(name: "FETCH_HOPS", help: "steps from address to address (redirects, refreshes, wrappers) one fetch may take", default: "10", kind: .number(0...50)),
        Setting(name: "FETCH_HOST_PARALLEL", help: "fetches of one host at once, of links nobody waits for", default: "4", kind: .number(1...256)),
        Setting(name: "FETCH_HOST_PAUSE", help: "milliseconds between the beginnings of such fetches", default: "100", kind: .number(0...3_600_000)),
        Setting(name: "CHECK_DAYS", help: "days after which a saved page is looked for again, to find those that are gone; 0: never", default: "0", kind: .number(0...36_500)),
        Setting(name: "REFRESH_DAYS", help: "days after which a saved page is read again, if it has changed; 0: never", default: "0", kind: .number(0...36_500)),
        Setting(name: "FETCH_HEADER_LIMIT", help: "bytes of the largest response header", default: "262144", kind: .number(1_024...1_048_576)),
        Setting(name: "READ_PROCESSES", help: "processes that read pages at once, and one more for resolve-url; 0: one a processor", default: "0", kind: .number(0...256)),
        Setting(name: "READ_TIMEOUT", help: "seconds of processor time the reading of a page may take", default: "10", kind: .number(1...600)),
        Setting(name: "READ_MEMORY", help: "bytes of memory the reading of a page may take", default: "536870912", kind: .number(16_777_216...17_179_869_184)),
        Setting(name: "READ_NODES", help: "elements, texts and attributes of the largest page", default: "2000000", kind: .number(1_000...100_000_000)),
        Setting(name: "PICTURES", help: "when the pictures of articles are fetched: off, on_save or on_first_read (a reader has opened them)", default: "on_save", kind: .choice(["off", "on_save", "on_first_read"])),
        Setting(name: "PICTURES_DIR", help: "directory of the pictures that are kept, served by nginx", default: "pictures", kind: .text),
        Setting(name: "PICTURE_QUOTA", help: "bytes of pictures one user may keep; 0: no limit", default: "1073741824", kind: .number(0...1_099_511_627_776)),
        Setting(name: "PICTURE_BYTES", help: "bytes of the largest picture that is fetched", default: "8388608", kind: .number(1_024...104_857_600)),
        Setting(name: "PICTURE_PIXELS", help: "pixels of the largest picture that is read, in all its frames", default: "50000000", kind: .number(10_000...1_000_000_000)),
        Setting(name: "PICTURE_TIMEOUT", help: "seconds of processor time the reading of a picture may take", default: "10", kind: .number(1...600)),
        Setting(name: "PICTURE_MEMORY", help: "bytes of memory the reading of a picture may take", default: "805306368", kind: .number(67_108_864...17_179_869_184)),
        Setting(name: "PICTURES_PARALLEL", help: "pictures fetched at once", default: "8", kind: .number(1...64)),
        Setting(name: "LINK_QUOTA", help: "links one user may keep; 0: no limit", default: "0", kind: .number(0...1_000_000_000)),
        Setting(name: "STORAGE_QUOTA", help: "bytes of articles and pages one user may keep; 0: no limit", default: "0", kind: .number(0...1_099_511_627_776)),
        Setting(name: "FETCH_QUOTA", help: "pages got for one user within 24 hours, failures not counted; 0: no limit", default: "0", kind: .number(0...1_000_000_000)),
        Setting(name: "KEEP_SOURCE", help: "whether pages are kept once they are read, so that a newer extractor can read them again", default: "on", kind: .choice(["on", "off"])),
        Setting(name: "KEEP_SOURCE_LIMIT", help: "bytes of the largest page that is kept", default: "4194304", kind: .number(0...104_857_600)),
        Setting(name: "USER_AGENT", help: "how the fetcher introduces itself; empty: Lectern with the public URL", default: "", kind: .text),

        // Clients.
        Setting(name: "CONFIG_BUCKETS", help: "comma list of storage buckets that answer with the public client configuration", default: "psreadthis", kind: .text),
        Setting(name: "LOG_LEVEL", help: "least level that is logged", default: "info", kind: .choice(["debug", "info", "warning", "error"])),
    ]
}
