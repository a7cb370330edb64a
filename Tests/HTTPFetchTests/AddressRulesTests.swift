import CCurl
import Glibc
import Testing

@testable import HTTPFetch

@Suite("HTTPFetch / address rules")
struct AddressRulesTests {
    static let blocked: [(String, SpecialUse)] = [
        ("127.0.0.1", .loopback), ("127.255.255.254", .loopback), ("::1", .loopback), ("0.0.0.0", .unspecified),
        ("0.1.2.3", .unspecified), ("::", .unspecified), ("10.0.0.0", .privateNetwork),
        ("10.255.255.255", .privateNetwork),
        ("172.16.0.1", .privateNetwork), ("172.31.255.255", .privateNetwork), ("192.168.0.1", .privateNetwork),
        ("192.168.255.255", .privateNetwork), ("169.254.0.1", .linkLocal), ("169.254.255.255", .linkLocal),
        ("169.254.169.254", .metadata), ("169.254.170.2", .metadata), ("100.100.100.200", .metadata),
        ("168.63.129.16", .metadata), ("192.0.0.192", .metadata), ("fd00:ec2::254", .metadata),
        ("fd20:ce::254", .metadata),
        ("100.64.0.0", .carrierNetwork), ("100.127.255.255", .carrierNetwork), ("192.0.0.1", .reserved),
        ("192.0.2.1", .documentation), ("198.51.100.7", .documentation), ("203.0.113.255", .documentation),
        ("192.31.196.1", .reserved), ("192.52.193.1", .reserved), ("192.88.99.1", .reserved),
        ("192.175.48.1", .reserved),
        ("198.18.0.1", .benchmark), ("198.19.255.255", .benchmark), ("224.0.0.1", .multicast),
        ("239.255.255.250", .multicast),
        ("240.0.0.1", .reserved), ("255.255.255.254", .reserved), ("255.255.255.255", .broadcast),
        ("::ffff:127.0.0.1", .embedsIPv4), ("::ffff:8.8.8.8", .embedsIPv4), ("::ffff:0:8.8.8.8", .embedsIPv4),
        ("::127.0.0.1", .embedsIPv4), ("::8.8.8.8", .embedsIPv4), ("64:ff9b::7f00:1", .embedsIPv4),
        ("64:ff9b::8.8.8.8", .embedsIPv4), ("64:ff9b:1::1", .embedsIPv4), ("2002:7f00:1::", .embedsIPv4),
        ("2002:808:808::1", .embedsIPv4), ("2001:0:808:808::1", .embedsIPv4), ("2001::1", .embedsIPv4),
        ("2001:2::1", .benchmark), ("2001:10::1", .reserved), ("2001:20::1", .reserved), ("2001:1ff::1", .reserved),
        ("2001:db8::1", .documentation), ("2001:db8:ffff::1", .documentation), ("3fff::1", .documentation),
        ("3fff:fff::1", .documentation), ("100::1", .reserved), ("5f00::1", .reserved), ("fc00::1", .privateNetwork),
        ("fd12:3456::1", .privateNetwork), ("fdff:ffff::1", .privateNetwork), ("fe80::1", .linkLocal),
        ("febf:ffff::1", .linkLocal), ("fec0::1", .privateNetwork), ("feff::1", .privateNetwork),
        ("ff00::1", .multicast),
        ("ff02::1", .multicast), ("ffff:ffff::1", .multicast), ("4000::1", .reserved), ("1fff::1", .reserved),
        ("e000::1", .reserved), ("::2", .embedsIPv4), ("0:0:0:0:0:0:0:1", .loopback), ("200::1", .reserved),
        ("127.127.127.127", .loopback), ("169.254.170.23", .metadata), ("fd00:ec2::23", .metadata),
        ("192.0.0.8", .reserved),
        ("192.0.0.170", .reserved), ("224.0.0.251", .multicast), ("233.252.0.1", .multicast),
        ("247.255.255.255", .reserved),
        ("::ffff:10.0.0.1", .embedsIPv4), ("::ffff:169.254.169.254", .embedsIPv4), ("::ffff:0:127.0.0.1", .embedsIPv4),
        ("::169.254.169.254", .embedsIPv4), ("64:ff9b::10.0.0.1", .embedsIPv4), ("64:ff9b::a9fe:a9fe", .embedsIPv4),
        ("64:ff9b:1:ffff:ffff::7f00:1", .embedsIPv4), ("2002:a9fe:a9fe::1", .embedsIPv4),
        ("2002:c0a8:101::", .embedsIPv4),
        ("2001:0:4136:e378:8000:63bf:80ff:fffe", .embedsIPv4), ("2001:1::1", .reserved), ("2001:3::1", .reserved),
        ("2001:4:112::1", .reserved), ("2001:1f:ffff::1", .reserved), ("2001:2f:ffff::1", .reserved),
        ("2001:30::1", .reserved),
        ("2620:4f:8000::1", .reserved), ("100::ffff:ffff:ffff:ffff", .reserved), ("100:0:0:1::1", .reserved),
        ("2001:db8::7f00:1", .documentation), ("fe80::a9fe:a9fe", .linkLocal), ("ff05::1:3", .multicast),
        ("ff0e::fb", .multicast),
        ("64:ff9a::1", .reserved), ("::ffff:ffff:7f00:1", .reserved), ("7fff::1", .reserved),
    ]

    @Test("addresses with a special use are blocked with the reason", arguments: blocked)
    func blockedAddresses(text: String, use: SpecialUse) throws {
        let address = try #require(NetworkAddress(text))
        #expect(AddressRules().verdict(on: address, port: 80, host: "h.test") == .blocked(.address(address, use)))
    }

    @Test(
        "addresses of the public internet are allowed",
        arguments: [
            "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
            "128.0.0.1",
            "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0",
            "192.167.255.255",
            "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.99.255", "203.0.114.0", "223.255.255.255",
            "2001:200::1", "2001:4860:4860::8888", "2003::1", "2606:4700::1111", "3ffe::1", "2a00:1450::1",
        ])
    func openAddresses(text: String) throws {
        #expect(AddressRules().verdict(on: try #require(NetworkAddress(text)), port: 443, host: "h.test") == .allowed)
    }
}
