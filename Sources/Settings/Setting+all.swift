extension Setting {
    /// All settings.
    public static let all: [Setting] = [
        // Addresses and the database server. Only deploy/run and nginx read these, except PUBLIC_URL.
        Setting(
            name: "POSTGRES",
            help: """
                private: deploy/run starts a PostgreSQL of its own; system: it uses that of the machine, as root only
                """,
            default: "private", kind: .choice(["private", "system"])),
        Setting(name: "PORT", help: "TCP port on which nginx listens", default: "8080", kind: .number(1...65_535)),
        Setting(name: "LISTEN", help: "IP address on which nginx listens", default: "127.0.0.1", kind: .text),
        Setting(
            name: "TRUSTED_PROXIES",
            help: "comma-separated addresses or networks of proxies whose X-Forwarded-For header is trusted",
            default: "", kind: .text),
        Setting(
            name: "PUBLIC_URL", help: "URL of the service for users and clients, without a trailing slash",
            default: "http://127.0.0.1:8080", kind: .text),
        Setting(
            name: "PULLREAD_VIEWER",
            help: "file with the page of PullRead's viewer, which is then served at /pullread/; empty: none",
            default: "", kind: .text),

        // Accounts.
        Setting(
            name: "SIGNUP",
            help: """
                who may sign up: first (everyone until there is an account, which is an admin's; then invited users), \
                open (everyone), invite (invited users), closed (nobody)
                """,
            default: "first", kind: .choice(["first", "open", "invite", "closed"])),
        Setting(
            name: "RATE_LIMITS",
            help: "off disables all rate limits and delays, but not USER_PARALLEL and REALTIME_USER_SOCKETS",
            default: "on", kind: .choice(["on", "off"])),
        Setting(
            name: "TOKEN_LIFETIME", help: "lifetime of an access token, in seconds",
            default: "3600", kind: .number(60...86_400)),
        Setting(
            name: "COMMON_PASSWORDS",
            help: "file of passwords that users may not choose, one per line; part of Debian's john-data",
            default: "/usr/share/john/password.lst", kind: .text),
        Setting(
            name: "JWT_SECRET", help: "secret that signs tokens and API keys, at least 32 characters",
            kind: .text, isSecret: true),
        Setting(
            name: "JWT_PREVIOUS_SECRETS",
            help: """
                comma-separated secret@epoch: previous secrets, and the epoch second until which their tokens \
                and keys are accepted
                """,
            default: "", kind: .text, isSecret: true),
        Setting(
            name: "METRICS_TOKEN",
            help: "bearer token for /metrics; empty: /metrics answers only on the workers' own socket",
            default: "", kind: .text, isSecret: true),

        // Mail.
        Setting(
            name: "SMTP_URL",
            help: """
                mail server, as smtp://user:password@host:587 or smtps://…; empty: mails are not sent, `lectern \
                mail` lists them
                """,
            default: "", kind: .text, isSecret: true),
        Setting(
            name: "MAIL",
            help: """
                whether mails are sent, so that users confirm a new address: on or off; `deploy/run` sets it from \
                SMTP_URL
                """,
            default: "off", kind: .choice(["on", "off"])),
        Setting(
            name: "SMTP_TIMEOUT", help: "longest time for sending one mail, in seconds",
            default: "30", kind: .number(1...600)),
        Setting(
            name: "MAIL_FROM", help: "sender address of mails; empty: lectern@ and the host of the public URL",
            default: "", kind: .text),

        // PostgreSQL.
        Setting(
            name: "DATABASE",
            help: "connection of the workers to PostgreSQL (role authenticator), as libpq keywords or URI",
            kind: .text, isSecret: true),
        Setting(
            name: "JOBS_DATABASE",
            help: "connection of the jobs process to PostgreSQL (role lectern_jobs), as libpq keywords or URI",
            kind: .text, isSecret: true),
        Setting(
            name: "REALTIME_DATABASE",
            help: "connection of lectern-realtime to PostgreSQL (role lectern_realtime), as libpq keywords or URI",
            kind: .text, isSecret: true),
        Setting(
            name: "STATEMENT_TIMEOUT", help: "longest time for one SQL statement, in milliseconds",
            default: "4500", kind: .number(100...60_000)),

        Setting(
            name: "SECRETS_FILE",
            help: "file of secret settings, lines LECTERN_<NAME>='value', read at the start; empty: none",
            default: "", kind: .text),
        Setting(
            name: "SQL_DIR", help: "directory of the SQL files whose schema the database must have",
            default: "sql", kind: .text),

        // The worker pool.
        Setting(
            name: "RUN_DIR", help: "directory of sockets, lock files and the scoreboard",
            default: "run", kind: .text),
        Setting(
            name: "FCGI_SOCKET", help: "Unix socket of the worker pool; empty: fcgi.sock in the run directory",
            default: "", kind: .text),
        Setting(
            name: "WORKERS", help: "number of worker processes, at most 24; 0: one per processor",
            default: "0", kind: .number(0...24)),
        Setting(
            name: "THREADS", help: "number of threads per worker process, each with one database connection",
            default: "8", kind: .number(1...256)),
        Setting(
            name: "USER_PARALLEL",
            help: """
                number of requests of one user answered at once; 0: one per processor, at least two, but at most a \
                quarter of the threads of all workers
                """,
            default: "0", kind: .number(0...6_144)),
        Setting(
            name: "NETWORK_PARALLEL",
            help: """
                number of requests without a signed-in user answered at once for one network (IPv4 address, IPv6 /64); \
                0: an eighth of the threads of all workers
                """,
            default: "0", kind: .number(0...6_144)),
        Setting(
            name: "RECYCLE_AFTER", help: "number of requests after which a worker process is replaced; 0: never",
            default: "1000000", kind: .number(0...1_000_000_000)),
        Setting(
            name: "DRAIN_TIMEOUT", help: "time in which a stopping service may finish its current work, in seconds",
            default: "5", kind: .number(1...600)),
        Setting(
            name: "BODY_LIMIT", help: "largest request body, in bytes",
            default: "10485760", kind: .number(1_024...104_857_600)),
        Setting(
            name: "RESPONSE_LIMIT", help: "largest response of /rest/v1/, in bytes",
            default: "20971520", kind: .number(1_024...104_857_600)),

        // The realtime service.
        Setting(
            name: "REALTIME_SOCKETS",
            help: "largest number of open WebSockets; each process of nginx takes 1 kB of memory for each",
            default: "2000", kind: .number(1...100_000)),
        Setting(
            name: "REALTIME_USER_SOCKETS", help: "largest number of WebSockets on which one user watches rows",
            default: "100", kind: .number(1...1_000_000)),
        Setting(
            name: "REALTIME_NETWORK_SOCKETS",
            help: "largest number of WebSockets of one network (IPv4 address, IPv6 /64), which nginx counts",
            default: "500", kind: .number(1...65_535)),

        // Jobs, fetching and reading.
        Setting(
            name: "JOBS_PARALLEL", help: "number of saved links processed at once",
            default: "16", kind: .number(1...256)),
        Setting(
            name: "JOBS_ATTEMPTS", help: "number of attempts before a job is given up",
            default: "5", kind: .number(1...50)),
        Setting(
            name: "JOBS_LEASE", help: "seconds without a heartbeat after which the job is given to another runner",
            default: "60", kind: .number(5...3_600)),
        Setting(
            name: "JOBS_RETRY_BASE", help: "delay before the first retry, in seconds; it doubles with each retry",
            default: "30", kind: .number(1...3_600)),
        Setting(
            name: "IMPORTS_DIR", help: "directory of uploaded files until they are read",
            default: "imports", kind: .text),
        Setting(
            name: "DOCUMENTS_DIR", help: "directory of users' documents, which nginx serves",
            default: "documents", kind: .text),
        Setting(
            name: "EXPORTS_DIR", help: "directory of users' export files, which nginx serves",
            default: "exports", kind: .text),
        Setting(
            name: "FETCH_ALLOW",
            help: """
                comma-separated private hosts, addresses or networks that the fetcher may reach, each with \
                optional :port
                """,
            default: "", kind: .text),
        Setting(
            name: "FETCH_PROXY", help: "URL of a proxy for all fetches; empty: none",
            default: "", kind: .text, isSecret: true),
        Setting(
            name: "FETCH_PROXY_RESOLVES",
            help: """
                off: names are looked up and their addresses checked before the proxy gets an address; on: the proxy \
                looks up names and must itself refuse private addresses
                """,
            default: "off", kind: .choice(["on", "off"])),
        Setting(
            name: "FETCH_TIMEOUT", help: "longest time for one fetch, in seconds",
            default: "25", kind: .number(1...600)),
        Setting(
            name: "FETCH_STALL_TIMEOUT", help: "longest time without progress in a fetch, in seconds",
            default: "20", kind: .number(1...600)),
        Setting(
            name: "FETCH_COMPRESSED_LIMIT", help: "largest page as transferred, in bytes",
            default: "10485760", kind: .number(1_024...104_857_600)),
        Setting(
            name: "FETCH_INFLATED_LIMIT",
            help: "largest page after decompression, and largest page after conversion to UTF-8, in bytes",
            default: "20971520", kind: .number(1_024...104_857_600)),
        Setting(
            name: "FETCH_HOPS", help: "largest number of redirects, refreshes and unwrapped URLs in one fetch",
            default: "10", kind: .number(0...50)),
        Setting(
            name: "FETCH_HOST_PARALLEL",
            help: "number of concurrent fetches per host, for bulk saves and background jobs",
            default: "4", kind: .number(1...256)),
        Setting(
            name: "FETCH_HOST_PAUSE", help: "least time between the starts of two such fetches, in milliseconds",
            default: "100", kind: .number(0...3_600_000)),
        Setting(
            name: "FETCH_HOST_BURST",
            help: "pages per host that are fetched without delay for a user who waits for them; then one per second",
            default: "20", kind: .number(1...10_000)),
        Setting(
            name: "CHECK_DAYS", help: "interval in days for checking whether saved pages still exist; 0: never",
            default: "0", kind: .number(0...36_500)),
        Setting(
            name: "REFRESH_DAYS", help: "interval in days for reading saved pages again if they have changed; 0: never",
            default: "0", kind: .number(0...36_500)),
        Setting(
            name: "FETCH_HEADER_LIMIT", help: "largest response header, in bytes",
            default: "262144", kind: .number(1_024...1_048_576)),
        Setting(
            name: "READ_PROCESSES", help: "processes that read pages, plus two for resolve-url; 0: one per processor",
            default: "0", kind: .number(0...256)),
        Setting(
            name: "READ_TIMEOUT", help: "processor time for reading one page, in seconds",
            default: "10", kind: .number(1...600)),
        Setting(
            name: "READ_MEMORY", help: "memory for reading one page, in bytes",
            default: "536870912", kind: .number(16_777_216...17_179_869_184)),
        Setting(
            name: "READ_NODES", help: "largest number of elements, text nodes and attributes in a page",
            default: "2000000", kind: .number(1_000...100_000_000)),
        Setting(
            name: "PICTURES",
            help: """
                when the pictures of articles are fetched: off, on_save, or on_first_read (when the article is \
                first opened)
                """,
            default: "on_save", kind: .choice(["off", "on_save", "on_first_read"])),
        Setting(
            name: "PICTURES_DIR", help: "directory of stored pictures, which nginx serves",
            default: "pictures", kind: .text),
        Setting(
            name: "BOOKS_DIR", help: "directory of the books of articles, which nginx serves",
            default: "books", kind: .text),
        Setting(
            name: "PICTURE_QUOTA", help: "pictures stored for one user, in bytes; 0 or off: no limit",
            default: "1073741824", kind: .quota(upTo: 1_099_511_627_776)),
        Setting(
            name: "PICTURE_BYTES", help: "largest picture to fetch, in bytes",
            default: "8388608", kind: .number(1_024...104_857_600)),
        Setting(
            name: "PICTURE_PIXELS", help: "largest picture to decode, in pixels of all its frames",
            default: "50000000", kind: .number(10_000...1_000_000_000)),
        Setting(
            name: "PICTURE_TIMEOUT", help: "processor time for decoding one picture, in seconds",
            default: "10", kind: .number(1...600)),
        Setting(
            name: "PICTURE_MEMORY", help: "memory for decoding one picture, in bytes",
            default: "805306368", kind: .number(67_108_864...17_179_869_184)),
        Setting(
            name: "PICTURES_PARALLEL", help: "number of pictures fetched at once",
            default: "8", kind: .number(1...64)),
        Setting(
            name: "LINK_QUOTA", help: "number of links per user; 0 or off: no limit",
            default: "100000", kind: .quota(upTo: 1_000_000_000)),
        Setting(
            name: "STORAGE_QUOTA",
            help: """
                bytes stored for one user, including the trash and merges but not pictures; 0 or off: no limit
                """,
            default: "21474836480", kind: .quota(upTo: 1_099_511_627_776)),
        Setting(
            name: "FETCH_QUOTA",
            help: "number of pages fetched for one user within 24 hours, failures excluded; 0 or off: no limit",
            default: "50000", kind: .quota(upTo: 1_000_000_000)),
        Setting(
            name: "TRASH_DAYS", help: "days after which deleted links are removed from the trash for good; 0: never",
            default: "90", kind: .number(0...36_500)),
        Setting(
            name: "MERGE_DAYS", help: "days during which a merge of two links can be undone; 0: forever",
            default: "365", kind: .number(0...36_500)),
        Setting(
            name: "KEEP_SOURCE", help: "on stores fetched pages, so that a newer extractor can read them again",
            default: "on", kind: .choice(["on", "off"])),
        Setting(
            name: "KEEP_SOURCE_LIMIT", help: "largest page that is stored, in bytes",
            default: "4194304", kind: .number(0...104_857_600)),
        Setting(
            name: "USER_AGENT", help: "User-Agent header of the fetcher; empty: Lectern and the public URL",
            default: "", kind: .text),

        // Clients.
        Setting(
            name: "CONFIG_BUCKETS",
            help: "comma-separated storage buckets that contain the public client configuration",
            default: "psreadthis", kind: .text),
        Setting(
            name: "LOG_LEVEL", help: "lowest level that is logged",
            default: "info", kind: .choice(["debug", "info", "warning", "error"])),
    ]
}
