import Glibc

/// The disk, the clock and the name servers of the machine.
struct MachineChecks {
    let home: String

    func findings() -> [Finding] { [disk(), clock(), names()] }

    private static let megabyte: UInt64 = 1 << 20

    private func disk() -> Finding {
        var system = statvfs()
        guard statvfs(home, &system) == 0 else {
            return .wrong("disk", "\(home): \(String(cString: strerror(errno)))", "check the file system")
        }
        let free = UInt64(system.f_bavail) * UInt64(system.f_frsize)
        let all = max(UInt64(system.f_blocks) * UInt64(system.f_frsize), 1)
        let text = "\(free / Self.megabyte) MB of \(all / Self.megabyte) MB are free for \(home)"
        let advice = "free some space; lectern maintain storage shows what users keep"
        if free < 200 * Self.megabyte || system.f_files > 0 && system.f_favail < 1_000 {
            return .wrong("disk", text, advice)
        }
        return free < 2_000 * Self.megabyte || free < all / 20 ? .warning("disk", text, advice) : .ok("disk", text)
    }

    /// Files that deploy/run has written can only be from the future if the clock was wrong then or is wrong now.
    private func clock() -> Finding {
        let now = time(nil)
        let advice = "set the clock of the machine, and install systemd-timesyncd or chrony"
        // 2026-01-01, before the first release.
        if now < 1_767_225_600 { return .wrong("clock", "it is before 2026, at \(now)", advice) }
        for name in ["lectern.env", "services/table", "run/state"] {
            var status = stat()
            guard stat("\(home)/\(name)", &status) == 0, status.st_mtim.tv_sec > now + 60 else { continue }
            return .wrong("clock", "it was set back: \(name) is from the future", advice)
        }
        return .ok("clock", "it was not set back since the last start")
    }

    private func names() -> Finding {
        guard let file = fopen("/etc/resolv.conf", "re") else {
            return .warning(
                "names", "/etc/resolv.conf cannot be read", "name a DNS server in it; pages cannot be fetched")
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        let servers = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").filter { line in
            line.split { $0 == " " || $0 == "\t" }.first == "nameserver"
        }
        return servers.isEmpty
            ? .warning("names", "/etc/resolv.conf names no server", "name a DNS server in it; pages cannot be fetched")
            : .ok("names", "/etc/resolv.conf names \(servers.count) servers")
    }
}
