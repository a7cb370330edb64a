@testable import Auth
import Testing

@Suite("Auth / origins")
struct OriginTests {
    @Test(
        "an IPv4 address is counted by itself, an IPv6 address by its /64 network",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("2001:db8:0:1:a:b:c:d", "2001:db8:0:1::/64"),
            ("2001:db8:0:1::7", "2001:db8:0:1::/64"),
            ("2001:db8::7", "2001:db8:0:0::/64"), ("::1", "0:0:0:0::/64"), ("2001:db8:0:1::", "2001:db8:0:1::/64"),
        ])
    func networks(address: String, network: String) {
        #expect(Accounts.RequestOrigin(userAgent: nil, address: address).network == network)
    }

    @Test("a device is identified by network and user agent")
    func devices() {
        let laptop = Accounts.RequestOrigin(userAgent: "Firefox", address: "2001:db8:0:1::7")
        #expect(laptop.device == Accounts.RequestOrigin(userAgent: "Firefox", address: "2001:db8:0:1::8").device)
        #expect(laptop.device != Accounts.RequestOrigin(userAgent: "Chromium", address: "2001:db8:0:1::7").device)
        #expect(laptop.device != Accounts.RequestOrigin(userAgent: "Firefox", address: "2001:db8:0:2::7").device)
    }
}
