import Glibc

/// A progress bar on standard error; it prints nothing when standard error is not a terminal.
struct ProgressBar {
    private let label: String
    private let total: Int
    private let isShown = isatty(STDERR_FILENO) == 1
    private var percent = -1

    private static let width = 30

    init(_ label: String, total: Int) {
        self.label = label
        self.total = max(total, 1)
    }

    mutating func show(_ done: Int) {
        let reached = min(done * 100 / total, 100)
        guard isShown, reached != percent else { return }
        percent = reached
        let filled = reached * Self.width / 100
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
        Terminal.say("\r[\(bar)] \(reached) % \(label)")
    }

    /// Erases the bar.
    func clear() {
        // ECMA-48: erase to the end of the line.
        if percent >= 0 { Terminal.say("\r\u{1B}[K") }
    }
}
