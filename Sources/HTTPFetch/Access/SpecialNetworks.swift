/// Networks that no fetch may reach unless the admin allows them. Sources: the IANA special-purpose registries of IPv4
/// and IPv6 addresses (RFC 6890 and its updates), and the published addresses of cloud metadata services.
enum SpecialNetworks {
    /// The first match decides, so metadata services come before the networks that contain them.
    static let all: [(network: Network, use: SpecialUse)] = rows.compactMap { text, use in
        Network(text).map { ($0, use) }
    }

    static let rows: [(String, SpecialUse)] = [
        ("169.254.169.254/32", .metadata),  // AWS, Azure, Google, OpenStack and others
        ("169.254.170.2/32", .metadata),  // AWS containers
        ("169.254.170.23/32", .metadata),  // AWS EKS
        ("168.63.129.16/32", .metadata),  // Azure, the only one in public address space
        ("100.100.100.200/32", .metadata),  // Alibaba
        ("192.0.0.192/32", .metadata),  // Oracle
        ("fd00:ec2::254/128", .metadata),  // AWS over IPv6
        ("fd00:ec2::23/128", .metadata),
        ("fd20:ce::254/128", .metadata),  // Google over IPv6

        ("0.0.0.0/8", .unspecified),  // Linux connects 0.0.0.0 to the local machine
        ("10.0.0.0/8", .privateNetwork),
        ("100.64.0.0/10", .carrierNetwork),
        ("127.0.0.0/8", .loopback),
        ("169.254.0.0/16", .linkLocal),
        ("172.16.0.0/12", .privateNetwork),
        ("192.0.0.0/24", .reserved),
        ("192.0.2.0/24", .documentation),
        ("192.31.196.0/24", .reserved),  // AS112
        ("192.52.193.0/24", .reserved),  // AMT relays
        ("192.88.99.0/24", .reserved),  // former 6to4 relays
        ("192.168.0.0/16", .privateNetwork),
        ("192.175.48.0/24", .reserved),  // AS112
        ("198.18.0.0/15", .benchmark),
        ("198.51.100.0/24", .documentation),
        ("203.0.113.0/24", .documentation),
        ("224.0.0.0/4", .multicast),
        ("255.255.255.255/32", .broadcast),
        ("240.0.0.0/4", .reserved),

        ("::/128", .unspecified),
        ("::1/128", .loopback),
        ("::/96", .embedsIPv4),  // v4-compatible, long deprecated
        ("::ffff:0:0/96", .embedsIPv4),  // v4-mapped: the kernel would connect to the embedded address by IPv4
        ("::ffff:0:0:0/96", .embedsIPv4),  // v4-translated (SIIT)
        ("64:ff9b::/96", .embedsIPv4),  // NAT64
        ("64:ff9b:1::/48", .embedsIPv4),  // NAT64 for local use
        ("100::/64", .reserved),  // discard
        ("2001::/32", .embedsIPv4),  // Teredo
        ("2001:2::/48", .benchmark),
        ("2001::/23", .reserved),  // protocol assignments, ORCHID
        ("2001:db8::/32", .documentation),
        ("2002::/16", .embedsIPv4),  // 6to4
        ("2620:4f:8000::/48", .reserved),  // AS112
        ("3fff::/20", .documentation),
        ("5f00::/16", .reserved),  // segment routing
        ("fc00::/7", .privateNetwork),  // unique local
        ("fe80::/10", .linkLocal),
        ("fec0::/10", .privateNetwork),  // former site-local
        ("ff00::/8", .multicast),
    ]

    /// The only part of IPv6 that has been allocated for the public internet. Everything else is blocked as reserved.
    static let globalIPv6 = Network("2000::/3")

    /// Ports of services other than web sites, which a URL could make the fetcher contact. The first block is the "bad
    /// port" list of the Fetch standard. The second block has services that trust connections from inside a network.
    static let deniedPorts: Set<UInt16> = [
        0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
        110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530,
        531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190,
        5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,

        445, 1433, 1521, 2375, 2376, 2379, 2380, 3306, 3389, 5432, 5672, 5900, 6379, 6443, 9042, 10250, 11211, 27017,
    ]
}
