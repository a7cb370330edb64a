import Glibc

/// What is asked of the person at the terminal.
enum Terminal {
    static var isThere: Bool { isatty(STDIN_FILENO) == 1 }

    /// A password: typed twice without being shown, or, where standard input is no terminal, its first line.
    static func newPassword() throws -> String {
        guard isThere else { return try firstLine() }
        let password = try hidden("Password: ")
        guard try hidden("Once more: ") == password else { throw CommandError("the two are not the same") }
        return password
    }

    /// A line that is typed in answer to a question.
    static func answer(_ question: String) throws -> String {
        say(question)
        return try line()
    }

    private static func hidden(_ question: String) throws -> String {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { throw CommandError("the terminal cannot be asked") }
        // Ctrl-C must not leave a terminal behind that shows nothing, so it is waited for like an answer.
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
            // One that came is taken now, and ends us.
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

    /// Up to the end of the line, and no byte more.
    private static func line() throws -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(STDIN_FILENO, &byte, 1)
            guard count > 0 else {
                if count == 0, !bytes.isEmpty { break }
                throw CommandError("nothing was typed")
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
        guard let text = String(validating: line, as: UTF8.self) else { throw CommandError("that is no UTF-8") }
        return text
    }

    /// Beside the answers: they go to standard output.
    static func say(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
