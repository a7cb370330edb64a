import Testing

@testable import HTTPFetch

/// One spelling of a URL that must not be fetched.
struct BlockedURL: Sendable, CustomTestStringConvertible {
    enum Reason: Equatable, Sendable {
        case address(String, SpecialUse)
        /// A blocked port of a public address.
        case port(String, UInt16)
        /// A name of this machine or its network.
        case name(String)
        case scheme, invalidURL
    }

    var what: String
    var url: String
    var reason: Reason
    var testDescription: String { "\(what): \(url.debugDescription)" }

    init(_ what: String, _ url: String, _ reason: Reason) { (self.what, self.url, self.reason) = (what, url, reason) }

    /// The verdict of the rules, or nil if the URL fails before they are checked.
    var rejection: AddressRules.Rejection? {
        get throws {
            switch reason {
            case .address(let text, let use): .address(try #require(NetworkAddress(text)), use)
            case .port(_, let port): .port(port)
            case .name(let name): .name(name)
            case .scheme, .invalidURL: nil
            }
        }
    }

    /// Whether a fetch without any check would stay on this machine.
    var leadsHere: Bool {
        switch reason {
        case .address(let text, _): text == "::1" || text.hasPrefix("127.") || text.hasPrefix("::ffff:127.")
        case .name(let name): name.hasSuffix("localhost")
        case .port: false
        case .scheme, .invalidURL: true
        }
    }

    private static let here = Reason.address("127.0.0.1", .loopback)
    private static let here6 = Reason.address("::1", .loopback)
    private static let mapped = Reason.address("::ffff:127.0.0.1", .embedsIPv4)
    private static let metadata = Reason.address("169.254.169.254", .metadata)

    static let all: [BlockedURL] =
        [
            .init("this machine", "http://127.0.0.1/", here),
            .init("another of its addresses", "http://127.127.127.127/", .address("127.127.127.127", .loopback)),
            .init("by https", "https://127.0.0.1/", here),
            .init("two numbers", "http://127.1/", here),
            .init("three numbers", "http://127.0.1/", here),
            .init("one number", "http://2130706433/", here),
            .init("one hexadecimal number", "http://0x7f000001/", here),
            .init("the same in capitals", "http://0X7F000001/", here),
            .init("with zeros before it", "http://0x0000000000007f000001/", here),
            .init("hexadecimal and short", "http://0x7f.1/", here),
            .init("hexadecimal parts", "http://0x7f.0x0.0x0.0x1/", here),
            .init("one octal number", "http://017700000001/", here),
            .init("an octal part", "http://0177.0.0.1/", here),
            .init("an octal part with zeros before it", "http://00000000177.0.0.1/", here),
            .init("octal, hexadecimal and decimal", "http://0177.0x0.1/", here),
            .init("no machine in particular", "http://0.0.0.0/", .address("0.0.0.0", .unspecified)),
            .init("the same, short", "http://0/", .address("0.0.0.0", .unspecified)),
            .init("the same, hexadecimal", "http://0x0/", .address("0.0.0.0", .unspecified)),
            .init("the dot of the root", "http://127.0.0.1./", here),
            .init("the same, short", "http://127.1./", here),
            .init("the same, hexadecimal", "http://0x7f000001./", here),
            .init("the same, escaped", "http://127.0.0.1%2e/", here),
            .init("two dots of the root", "http://127.0.0.1../", .invalidURL),
            .init("escaped digits", "http://%31%32%37.0.0.1/", here),
            .init("escaped dots", "http://127%2E0%2e0%2e1/", here),
            .init("escaped dot of a short one", "http://127%2e1/", here),
            .init("escaped hexadecimal", "http://%30x7f000001/", here),
            .init("escaped twice", "http://%2531%2532%2537.0.0.1/", .invalidURL),
            .init("wide digits", "http://１２７.0.0.1/", here),
            .init("one number of wide digits", "http://２１３０７０６４３３/", here),
            .init("wide hexadecimal", "http://０ｘ７ｆ．１/", here),
            .init("circled digits", "http://①②⑦.⓪.⓪.①/", here),
            .init("raised digits", "http://¹²⁷.0.0.1/", here),
            .init("mathematical digits", "http://𝟏𝟐𝟕.𝟎.𝟎.𝟏/", here),
            .init("ideographic dots", "http://127。0。0。1/", here),
            .init("half-width ideographic dots", "http://127｡0｡0｡1/", here),
            .init("wide dots", "http://127．0．0．1/", here),
            .init("ideographic dot of the root", "http://127.0.0.1。/", here),
            .init("escaped wide digits", "http://%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1/", here),
            .init("wide digits of a private network", "http://１９２。１６８。０。１/", .address("192.168.0.1", .privateNetwork)),
            .init("a number too many", "http://1.127.0.0.1/", .invalidURL),
            .init("numbers that are too large", "http://383.0.0.1/", .invalidURL),
            .init("a number that wraps around", "http://6425673729/", .invalidURL),
            .init("no octal number", "http://0189.0.0.1/", .invalidURL),

            .init("this machine's name", "http://localhost/", .name("localhost")),
            .init("in capitals", "http://LOCALHOST/", .name("localhost")),
            .init("with the dot of the root", "http://localhost./", .name("localhost")),
            .init("a name below it", "http://x.localhost/", .name("x.localhost")),
            .init("the same below it", "http://x.LocalHost./", .name("x.localhost")),
            .init("a circled letter", "http://ⓛocalhost/", .name("localhost")),
            .init("wide letters", "http://ｌｏｃａｌｈｏｓｔ/", .name("localhost")),
            .init("an escaped letter", "http://%6cocalhost/", .name("localhost")),

            .init("IPv6", "http://[::1]/", here6),
            .init("IPv6 in full", "http://[0000:0000:0000:0000:0000:0000:0000:0001]/", here6),
            .init("IPv6 with numbers for the end", "http://[::0.0.0.1]/", here6),
            .init("IPv6 with a zone", "http://[::1%25lo]/", here6),
            .init("IPv6, no machine in particular", "http://[::]/", .address("::", .unspecified)),
            .init("IPv4 in IPv6", "http://[::ffff:127.0.0.1]/", mapped),
            .init("the same, hexadecimal", "http://[::ffff:7f00:1]/", mapped),
            .init("the same, in full", "http://[0:0:0:0:0:FFFF:7F00:0001]/", mapped),
            .init("a private address in IPv6", "http://[::ffff:10.0.0.1]/", .address("::ffff:10.0.0.1", .embedsIPv4)),
            .init("metadata in IPv6", "http://[::ffff:a9fe:a9fe]/", .address("::ffff:169.254.169.254", .embedsIPv4)),
            .init("compatible with IPv4", "http://[::127.0.0.1]/", .address("::127.0.0.1", .embedsIPv4)),
            .init("translated", "http://[::ffff:0:127.0.0.1]/", .address("::ffff:0:127.0.0.1", .embedsIPv4)),
            .init("NAT64", "http://[64:ff9b::7f00:1]/", .address("64:ff9b::7f00:1", .embedsIPv4)),
            .init("NAT64 of this network", "http://[64:ff9b:1::7f00:1]/", .address("64:ff9b:1::7f00:1", .embedsIPv4)),
            .init("6to4", "http://[2002:7f00:1::]/", .address("2002:7f00:1::", .embedsIPv4)),
            .init(
                "Teredo", "http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/",
                .address("2001:0:4136:e378:8000:63bf:80ff:fffe", .embedsIPv4)),
            .init("IPv6 of the link", "http://[fe80::1]/", .address("fe80::1", .linkLocal)),
            .init("with a zone", "http://[fe80::1%25eth0]/", .address("fe80::1", .linkLocal)),
            .init("with a zone that is not escaped", "http://[fe80::1%eth0]/", .address("fe80::1", .linkLocal)),
            .init("unique local", "http://[fd12:3456::1]/", .address("fd12:3456::1", .privateNetwork)),
            .init("of a site", "http://[fec0::1]/", .address("fec0::1", .privateNetwork)),
            .init("multicast", "http://[ff02::1]/", .address("ff02::1", .multicast)),
            .init("discarded", "http://[100::1]/", .address("100::1", .reserved)),
            .init("IPv4 in brackets", "http://[127.0.0.1]/", .invalidURL),
            .init("short IPv4 in IPv6", "http://[::ffff:127.1]/", .invalidURL),
            .init("escaped IPv6", "http://[%3a%3a1]/", .invalidURL),
            .init("escaped brackets", "http://%5b::1%5d/", .invalidURL),
            .init("IPv6 without brackets", "http://::1/", .invalidURL),
            .init("a name behind brackets", "http://[::1].example.org/", .invalidURL),

            .init("metadata", "http://169.254.169.254/latest/meta-data/", metadata),
            .init("metadata as a number", "http://2852039166/", metadata),
            .init("metadata hexadecimal", "http://0xa9fea9fe/", metadata),
            .init("metadata octal", "http://0251.0376.0251.0376/", metadata),
            .init("metadata short", "http://169.254.43518/", metadata),
            .init("metadata with the dot of the root", "http://169.254.169.254./", metadata),
            .init("metadata by IPv6", "http://[fd00:ec2::254]/", .address("fd00:ec2::254", .metadata)),
            .init("another's metadata", "http://100.100.100.200/", .address("100.100.100.200", .metadata)),
            .init("a third one's", "http://192.0.0.192/", .address("192.0.0.192", .metadata)),
            .init("a private network", "http://10.0.0.1/", .address("10.0.0.1", .privateNetwork)),
            .init("the same, short", "http://10.1/", .address("10.0.0.1", .privateNetwork)),
            .init("another", "http://172.16.0.1/", .address("172.16.0.1", .privateNetwork)),
            .init("a third", "http://192.168.257/", .address("192.168.1.1", .privateNetwork)),
            .init("a provider's network", "http://100.64.0.1/", .address("100.64.0.1", .carrierNetwork)),
            .init("all machines", "http://255.255.255.255/", .address("255.255.255.255", .broadcast)),
            .init("the same as a number", "http://4294967295/", .address("255.255.255.255", .broadcast)),
            .init("many machines", "http://224.0.0.1/", .address("224.0.0.1", .multicast)),

            .init("another name for a user", "http://example.org@127.0.0.1/", here),
            .init("with a password", "http://example.org:80@127.0.0.1/", here),
            .init("with an escaped slash", "http://example.org%2f@127.0.0.1/", here),
            .init("with an escaped sign", "http://example.org%40@127.0.0.1/", here),
            .init("two signs", "http://a@example.org@127.0.0.1/", .invalidURL),
            .init("a sign in the host", "http://example.org%40127.0.0.1/", .invalidURL),
            .init("another name in the fragment", "http://127.0.0.1#@example.org/", here),
            .init("another name in the query", "http://127.0.0.1?@example.org/", here),
            .init("another name behind a backslash", "http://127.0.0.1\\@example.org/", here),
            .init("backslashes", "http:\\\\127.0.0.1\\", here),
            .init("too many slashes", "http://///127.0.0.1/", here),
            .init("one slash", "http:/127.0.0.1/", here),
            .init("no slash", "http:127.0.0.1/", here),
            .init("a tab in the address", "http://127.0\t.0.1/", here),
            .init("a line break in the address", "http://127.0.0\n.1/", here),
            .init("a line break in the scheme", "ht\r\ntp://127.0.0.1/", here),
            .init("blanks around", " \u{0}http://127.0.0.1/ ", here),
            .init("a blank in the address", "http://127.0.0.1 .example.org/", .invalidURL),
            .init("an escaped line break", "http://127.0.0.1%0d%0aX:y/", .invalidURL),
            .init("an escaped zero", "http://127.0.0.1%00.example.org/", .invalidURL),
            .init("a scheme in capitals", "HTTP://127.0.0.1/", here),
            .init("a scheme in mixed letters", "hTtPs://127.0.0.1/", here),
            .init("an empty port", "http://127.0.0.1:/", here),
            .init("a port that wraps around", "http://127.0.0.1:65616/", .invalidURL),
            .init("two ports", "http://127.0.0.1:80:80/", .invalidURL),
            .init("no scheme", "//127.0.0.1/", .invalidURL),
            .init("no host", "http:///", .invalidURL),
        ]
        + [
            "file:///etc/passwd", "FILE:///etc/passwd", "gopher://127.0.0.1:70/1", "dict://127.0.0.1:11211/stats",
            "ftp://127.0.0.1/",
            "ftps://127.0.0.1/", "sftp://127.0.0.1/", "scp://127.0.0.1/x", "tftp://127.0.0.1/x", "ldap://127.0.0.1/",
            "ldaps://127.0.0.1/",
            "telnet://127.0.0.1/", "smb://127.0.0.1/x", "smtp://127.0.0.1/", "imap://127.0.0.1/", "pop3://127.0.0.1/",
            "rtsp://127.0.0.1/",
            "mqtt://127.0.0.1/", "ws://127.0.0.1/", "wss://127.0.0.1/", "data:text/html,x", "javascript:alert(1)",
            "jar:http://127.0.0.1!/x",
            "view-source:http://127.0.0.1/", "blob:http://127.0.0.1/x", "about:blank", "mailto:a@127.0.0.1",
            "netdoc:///etc/passwd",
            "php://filter/x", "unix:///run/x", "http+unix://127.0.0.1/",
        ].map { BlockedURL("another scheme", $0, .scheme) }
        + [
            1, 21, 22, 23, 25, 53, 110, 111, 139, 143, 389, 445, 465, 587, 993, 1433, 2049, 2375, 3306, 3389, 5060,
            5432, 5900, 6000, 6379, 6667,
            9042, 10250, 11211, 27017,
        ].map { BlockedURL("another service", "http://8.8.8.8:\($0)/", .port("8.8.8.8", $0)) }
}
