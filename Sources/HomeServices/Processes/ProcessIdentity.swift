import Glibc

/// A process that cannot be confused with a later one of the same pid: its pid, its start time and the id of the boot.
/// `process_identity` in deploy/lib/processes.sh prints the same.
enum ProcessIdentity {
    static func own() -> String? {
        guard let line = TextFile.read("/proc/self/stat"), let boot = TextFile.read("/proc/sys/kernel/random/boot_id")
        else { return nil }
        return startTime(in: line).map { "\(getpid()) \($0) \(boot.split(separator: "\n")[0])" }
    }

    /// Field 22 of proc(5). The name in parentheses may contain spaces, so the fields are counted after it.
    static func startTime(in line: String) -> Substring? {
        fieldsAfterName(line).dropFirst(19).first
    }

    /// The fields of /proc/PID/stat from the third on.
    static func fieldsAfterName(_ line: String) -> [Substring] {
        line.lastIndex(of: ")").map { line[$0...].dropFirst().split(whereSeparator: \.isWhitespace) } ?? []
    }
}
