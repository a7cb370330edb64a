import Glibc

/// Questions to the person at the terminal.
enum Terminal {
    static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 }

    /// Reads a new password: typed twice without echo, or the first line of standard input when it is not a terminal.
    static func newPassword() throws -> String {
        guard isInteractive else { return try firstLine() }
        let password = try hidden("Password: ")
        guard try hidden("Repeat password: ") == password else { throw CommandError("the passwords do not match") }
        return password
    }

    /// Prints a question and reads one line.
    static func answer(_ question: String) throws -> String {
        say(question)
        return try line()
    }

    private static func hidden(_ question: String) throws -> String {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { throw CommandError("cannot read the terminal's settings") }
        // Ctrl-C must not leave the terminal without echo, so SIGINT is blocked and polled for beside the input.
        var interruption = sigset_t()
        var usual = sigset_t()
        sigemptyset(&interruption)
        sigaddset(&interruption, SIGINT)
        sigprocmask(SIG_BLOCK, &interruption, &usual)
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            say("\n")
            // A pending SIGINT is delivered now and ends the program.
            sigprocmask(SIG_SETMASK, &usual, nil)
        }
        say(question)
        var typed = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while poll(&typed, 1, 100) == 0 {
            var waiting = sigset_t()
            sigpending(&waiting)
            if sigismember(&waiting, SIGINT) == 1 { throw CommandError("interrupted") }
        }
        return try line()
    }

    /// Reads up to the end of the line and not a byte more.
    private static func line() throws -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(STDIN_FILENO, &byte, 1)
            guard count > 0 else {
                if count == 0, !bytes.isEmpty { break }
                throw CommandError("no input")
            }
            if byte == UInt8(ascii: "\n") { break }
            bytes.append(byte)
        }
        return try text(bytes[...])
    }

    private static func firstLine() throws -> String {
        let bytes = try StandardStreams.readAll()
        return try text(bytes.prefix { $0 != UInt8(ascii: "\n") })
    }

    private static func text(_ bytes: ArraySlice<UInt8>) throws -> String {
        let line = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
        guard let text = String(validating: line, as: UTF8.self) else {
            throw CommandError("the input is not valid UTF-8")
        }
        return text
    }

    /// Prints to standard error, because standard output is for results.
    static func say(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
