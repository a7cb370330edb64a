import Testing

@testable import Mail

@Suite("Mail / messages")
struct MailMessageTests {
    private func message(
        subject: String = "Hello", body: String = "Hello.\n", name: String = "Lectern"
    ) throws -> String {
        let message = MailMessage(
            from: try MailAddress("lectern@read.example.org"), senderName: name, to: try MailAddress("ann@example.org"),
            subject: subject, body: body, id: "5f3e-1", date: 1_767_225_600)
        return String(decoding: message.bytes, as: UTF8.self)
    }

    @Test("a plain mail is sent unencoded, to the byte")
    func plain() throws {
        #expect(
            try message() == """
                Date: Thu, 01 Jan 2026 00:00:00 +0000\r
                From: Lectern <lectern@read.example.org>\r
                To: <ann@example.org>\r
                Subject: Hello\r
                Message-ID: <5f3e-1@read.example.org>\r
                Auto-Submitted: auto-generated\r
                MIME-Version: 1.0\r
                Content-Type: text/plain; charset=utf-8\r
                Content-Transfer-Encoding: 7bit\r
                \r
                Hello.\r

                """)
    }

    @Test("no subject or name can add a header", arguments: ["\r\n", "\n", "\r", "\u{0}", "\u{85}", "\u{0B}"])
    func injection(end: String) throws {
        for text in [
            try message(subject: "a\(end)Bcc: eve@example.org"), try message(name: "a\(end)Bcc: <eve@example.org>"),
        ] {
            let head = text.split(separator: "\r\n\r\n", maxSplits: 1)[0]
            let names = head.split(separator: "\r\n").filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != ":" } }
            #expect(names.count == 9 && !names.contains("Bcc"))
            #expect(!head.utf8.contains(0))
        }
    }

    @Test("a subject in any script becomes encoded words of at most 75 bytes, each of whole characters")
    func encodedWords() throws {
        let subject = String(repeating: "Wähle 🙂 ", count: 12)
        let words = HeaderText.encoded(subject, after: 9, isPhrase: false).split(separator: "\r\n ")
        #expect(words.count > 2)
        var read = ""
        for word in words {
            #expect(word.utf8.count <= 75 && word.hasPrefix("=?utf-8?B?") && word.hasSuffix("?="))
            let bytes = decodedBase64(String(word.dropFirst(10).dropLast(2)))
            read += try #require(String(validating: bytes, as: UTF8.self))
        }
        #expect(read == subject)
    }

    @Test("text that looks like an encoded word or is too long for a line is encoded")
    func suspicious() {
        #expect(HeaderText.encoded("=?utf-8?B?eA==?=", after: 9, isPhrase: false) != "=?utf-8?B?eA==?=")
        #expect(
            HeaderText.encoded(String(repeating: "a", count: 80), after: 9, isPhrase: false).hasPrefix("=?utf-8?B?"))
        #expect(HeaderText.encoded("Ann (x) <y@z>", after: 6, isPhrase: true).hasPrefix("=?utf-8?B?"))
    }

    @Test("a body in any script is quoted-printable in lines of at most 76 bytes")
    func quotedPrintable() throws {
        let body = "Grüße\n" + String(repeating: "=é", count: 60) + "\nblank at the end \n\ttab\t\n.\n"
        let text = try message(body: body)
        let sent = text.split(separator: "\r\n\r\n", maxSplits: 1)[1]
        #expect(text.contains("Content-Transfer-Encoding: quoted-printable"))
        #expect(sent.split(separator: "\r\n", omittingEmptySubsequences: false).allSatisfy { $0.utf8.count <= 76 })
        #expect(sent.utf8.allSatisfy { $0 < 0x7F })
        #expect(decodedQuotedPrintable(String(sent)) == body.replacing("\n", with: "\r\n"))
    }

    @Test("line ends of all kinds become CR LF", arguments: ["a\r\nb", "a\nb", "a\rb", "a\r\nb\n"])
    func lineEnds(body: String) throws {
        #expect(try message(body: body).hasSuffix("\r\n\r\na\r\nb\r\n"))
    }

    @Test("lines longer than servers accept are wrapped")
    func longLines() throws {
        let text = try message(body: String(repeating: "a", count: 2_000))
        #expect(text.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 76 })
    }

    @Test("a body that is HTML, too, is sent as text and then as HTML, of which programs show the last they can")
    func alternative() throws {
        let message = MailMessage(
            from: try MailAddress("a@example.org"), senderName: "Lectern", to: try MailAddress("b@example.org"),
            subject: "Digest", body: "Hello.\n",
            html: "<p class=\"a\">Grüße</p>" + String(repeating: "a", count: 2_000), id: "5f3e-1", date: 0)
        let text = String(decoding: message.bytes, as: UTF8.self)
        let end = text.split(separator: "MIME-Version: 1.0\r\n", maxSplits: 1)[1]
        #expect(
            end.hasPrefix(
                """
                Content-Type: multipart/alternative; boundary="=_5f3e-1-text"\r
                \r
                --=_5f3e-1-text\r
                Content-Type: text/plain; charset=utf-8\r
                Content-Transfer-Encoding: 7bit\r
                \r
                Hello.\r
                \r
                --=_5f3e-1-text\r
                Content-Type: text/html; charset=utf-8\r
                Content-Transfer-Encoding: quoted-printable\r
                \r
                <p class=3D"a">Gr=C3=BC=C3=9Fe</p>a
                """))
        #expect(end.hasSuffix("a\r\n\r\n--=_5f3e-1-text--\r\n"))
        #expect(text.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 78 })
    }

    @Test("a file follows the text in both forms")
    func attachmentAndHTML() throws {
        let message = MailMessage(
            from: try MailAddress("a@example.org"), senderName: "Lectern", to: try MailAddress("b@example.org"),
            subject: "Book", body: "Hello.\n", html: "<p>Hello.</p>", id: "5f3e-1", date: 0,
            attachment: MailAttachment(name: "a.txt", mediaType: "text/plain", content: [97]))
        let text = String(decoding: message.bytes, as: UTF8.self)
        let kinds = text.split(separator: "\r\n").filter { $0.hasPrefix("Content-Type: ") }.map {
            $0.dropFirst(14).prefix { $0 != ";" }
        }
        #expect(kinds == ["multipart/mixed", "multipart/alternative", "text/plain", "text/html", "text/plain"])
        #expect(text.hasSuffix("--=_5f3e-1--\r\n"))
    }

    @Test("a file is a part of its own, in base 64 with short lines")
    func attachment() throws {
        let message = MailMessage(
            from: try MailAddress("a@example.org"), senderName: "Lectern", to: try MailAddress("b@example.org"),
            subject: "Book", body: "Hello.\n", id: "5f3e-1", date: 0,
            attachment: MailAttachment(
                name: "Book.epub", mediaType: "application/epub+zip", content: Array(repeating: 255, count: 100)))
        let text = String(decoding: message.bytes, as: UTF8.self)
        let end = text.split(separator: "MIME-Version: 1.0\r\n", maxSplits: 1)[1]
        #expect(
            end == """
                Content-Type: multipart/mixed; boundary="=_5f3e-1"\r
                \r
                --=_5f3e-1\r
                Content-Type: text/plain; charset=utf-8\r
                Content-Transfer-Encoding: 7bit\r
                \r
                Hello.\r
                \r
                --=_5f3e-1\r
                Content-Type: application/epub+zip\r
                Content-Transfer-Encoding: base64\r
                Content-Disposition: attachment;\r
                 filename="Book.epub"\r
                \r
                \(String(repeating: "/", count: 76))\r
                \(String(repeating: "/", count: 57))w==\r
                \r
                --=_5f3e-1--\r

                """)
    }
}

/// Implemented independently of the source, so that one mistake is not made twice.
private func decodedQuotedPrintable(_ text: String) -> String {
    let joined = text.replacing("=\r\n", with: "")
    var (bytes, rest) = ([UInt8](), Array(joined.utf8)[...])
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "=") else {
            bytes.append(byte)
            continue
        }
        bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
        rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
}

private func decodedBase64(_ text: String) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var (bits, count, bytes) = (0, 0, [UInt8]())
    for byte in text.utf8 where byte != UInt8(ascii: "=") {
        bits = bits << 6 | (alphabet.firstIndex(of: byte) ?? 0)
        count += 6
        if count >= 8 {
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            bits &= (1 << count) - 1
        }
    }
    return bytes
}
