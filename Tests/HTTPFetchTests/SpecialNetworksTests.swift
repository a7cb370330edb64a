import Testing

@testable import HTTPFetch

@Suite("HTTPFetch / special networks")
struct SpecialNetworksTests {
    @Test("every row of the table is a network")
    func table() {
        #expect(SpecialNetworks.all.count == SpecialNetworks.rows.count)
        #expect(SpecialNetworks.globalIPv6 != nil)
    }

    @Test("metadata services come before the networks that contain them")
    func order() throws {
        for (network, use) in SpecialNetworks.all where use == .metadata {
            #expect(AddressRules.specialUse(of: network.first) == .metadata)
        }
    }

    @Test("ports of web sites are not denied", arguments: [80, 443, 8_080, 8_443, 3_000] as [UInt16])
    func webPorts(port: UInt16) { #expect(!SpecialNetworks.deniedPorts.contains(port)) }

    @Test("every special use has a different text")
    func texts() { #expect(Set(SpecialUse.allCases.map(\.rawValue)).count == SpecialUse.allCases.count) }
}
