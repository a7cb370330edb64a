/// The special use of an address that does not belong to the public internet. The text appears in messages for the
/// admin.
public enum SpecialUse: String, Sendable, CaseIterable {
    case loopback = "loopback"
    case privateNetwork = "private network"
    case linkLocal = "link-local"
    case carrierNetwork = "carrier network"
    case multicast = "multicast"
    case broadcast = "broadcast"
    case documentation = "documentation"
    case benchmark = "benchmarking"
    case unspecified = "unspecified address"
    case reserved = "reserved"
    case metadata = "cloud metadata service"
    case embedsIPv4 = "IPv4 embedded in IPv6"
}
