/// How the request of one hop reaches the site.
enum ProxyRoute: Equatable {
    /// Directly, or through the proxy with the host as the URL has it: an address, or a name that the proxy looks up.
    case asWritten
    /// Through the proxy to this address, by `CONNECT` or SOCKS. The request inside has the name of the URL in its Host
    /// field, in TLS and in its cookies.
    ///
    /// Also for plain http: a proxy replaces the Host field of an ordinary request by the host of its URL (RFC 9112,
    /// 3.2.2), and with an address there the site could not tell which of its hosts is meant.
    case tunnel(NetworkAddress)
    /// Through an HTTP proxy that has no `CONNECT`: the URL has the address, and the Host field the name. Only for
    /// plain http.
    case rewritten(NetworkAddress)

    /// The address that libcurl connects to instead of the host of the URL, in the notation of `CURLOPT_CONNECT_TO`.
    var connectTo: String? {
        guard case .tunnel(let address) = self else { return nil }
        return "::\(address.inURL):"
    }

    /// The address of a site that a proxy is asked for. Every proxy reaches IPv4, so such an address comes first.
    static func preferred(_ found: [NetworkAddress]) -> NetworkAddress? {
        found.first { if case .v4 = $0 { true } else { false } } ?? found.first
    }

    /// Whether a proxy that answers `CONNECT` with this status does not know the method at all.
    static func lacksTunnels(_ status: Int) -> Bool { status == 405 || status == 501 }
}

extension NetworkAddress {
    /// The address as the host of a URL.
    var inURL: String { if case .v6 = self { "[\(self)]" } else { "\(self)" } }
}
