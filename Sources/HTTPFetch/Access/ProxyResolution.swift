/// Who looks up the names of sites that are fetched through a proxy.
public enum ProxyResolution: Sendable {
    /// The fetcher. It judges the addresses as it does without a proxy, and the proxy gets one that the rules allow.
    case own
    /// The proxy, which must refuse private addresses itself.
    case proxy

    /// Returns the proxy's URL with the scheme that makes libcurl look up names, or leave them to the proxy, as the
    /// case says. Only SOCKS has a scheme for each.
    func applied(to proxy: String) -> String {
        guard let end = proxy.firstRange(of: "://")?.lowerBound else { return proxy }
        let scheme = proxy[..<end].lowercased()
        let forms = [(own: "socks4", proxy: "socks4a"), (own: "socks5", proxy: "socks5h")]
        guard let form = forms.first(where: { $0.own == scheme || $0.proxy == scheme }) else { return proxy }
        return (self == .own ? form.own : form.proxy) + proxy[end...]
    }
}
