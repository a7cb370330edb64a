import Folders
import Glibc
import Settings

/// The files of a home that deploy/run writes: their modes, the settings and the supervisor.
struct HomeChecks {
    let home: String

    func findings() -> [Finding] { [permissions(), supervisor(), maintenance(), settings(), mail()] }

    private func status(_ name: String) -> stat? {
        var found = stat()
        // The settings of the Debian package are a link to a file in /etc.
        return stat("\(home)/\(name)", &found) == 0 ? found : nil
    }

    // MARK: - Permissions

    /// Secrets that others can read, and what is missing.
    private func permissions() -> Finding {
        let advice = "run deploy/run as the owner of the home, which sets owners and modes"
        guard access("\(home)/secrets", R_OK | X_OK) == 0 else {
            let reason = String(cString: strerror(errno))
            return .wrong("permissions", "\(home)/secrets: \(reason)", "run this as the owner of the home")
        }
        let secret = Folder.names(in: "\(home)/secrets").map { "secrets/\($0)" }
        let ofServices = Folder.names(in: "\(home)/services").filter { $0.hasSuffix(".secrets") }.map {
            "services/\($0)"
        }
        var problems: [String] = []
        for name in ["secrets", "lectern.env", "settings.env"] + secret + ofServices {
            guard let found = status(name) else {
                problems.append("\(name) is missing")
                continue
            }
            if found.st_mode & 0o077 != 0 { problems.append("others may read \(name)") }
        }
        // With POSTGRES=system the database is in the server of the machine.
        let database = status("secrets/system-database") == nil ? ["postgres"] : []
        for name in ["pictures", "documents", "exports", "imports", "books"] + database where status(name) == nil {
            problems.append("\(name)/ is missing")
        }
        return problems.isEmpty
            ? .ok("permissions", "only their owners can read secrets")
            : .wrong("permissions", problems.prefix(5).joined(separator: ", "), advice)
    }

    // MARK: - The supervisor

    private func supervisor() -> Finding {
        let advice = "run deploy/run"
        guard let identity = text("run/supervisor.pid")?.split(separator: " "), let pid = identity.first,
            access("/proc/\(pid)", F_OK) == 0
        else { return .wrong("supervisor", "it does not run", advice) }
        let state = text("run/state") ?? ""
        return state.hasPrefix("failed")
            ? .wrong("supervisor", "the last start failed: \(state.dropFirst(7))", advice)
            : .ok("supervisor", "it runs as process \(pid)")
    }

    private func text(_ name: String) -> String? {
        guard let file = fopen("\(home)/\(name)", "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    private func maintenance() -> Finding {
        MaintenanceMessage(home: home).isOn
            ? .warning("maintenance", "requests are refused with a message", "end it with lectern maintain off")
            : .ok("maintenance", "requests are answered")
    }

    // MARK: - Settings

    private func settings() -> Finding {
        do {
            var variables = try Environment.file("\(home)/services/jobs.env")
            if let secrets = variables.removeValue(forKey: "LECTERN_SECRETS_FILE") {
                variables.merge(try Environment.file("\(home)/\(secrets)")) { first, _ in first }
            }
            _ = try Settings(environment: variables, rules: JobsCommand.rules)
        } catch {
            return .wrong("settings", "\(error)", "correct settings.env and run deploy/run")
        }
        if let changed = status("settings.env"), let applied = status("services/table"),
            changed.st_mtim.tv_sec > applied.st_mtim.tv_sec
        {
            return .warning("settings", "settings.env was changed after the last deploy/run", "run deploy/run")
        }
        return .ok("settings", "all are valid and in force")
    }

    private func mail() -> Finding {
        guard let variables = try? Environment.file("\(home)/services/fcgi.env") else {
            return .wrong("mail", "\(home)/services/fcgi.env cannot be read", "run deploy/run")
        }
        return variables["LECTERN_MAIL"] == "on"
            ? .ok("mail", "SMTP_URL is set")
            : .ok("mail", "SMTP_URL is not set, so no mail is sent; lectern mail shows the links of invitations")
    }
}
