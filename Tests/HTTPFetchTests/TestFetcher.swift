import Testing

@testable import HTTPFetch

/// A fetcher that may reach the sites of these tests and resolves `names` to this machine at `site`'s port.
func testFetcher(
    names: [String] = [], at site: LoopbackSite? = nil, _ adjust: (inout FetchSettings) -> Void = { _ in }
) throws -> Fetcher {
    var settings = FetchSettings()
    settings.rules = AddressRules(allowing: try AllowList("127.0.0.1"))
    settings.nameOverrides = names.map { "\($0):\(site?.port ?? 80):127.0.0.1" }
    adjust(&settings)
    return Fetcher(settings)
}

/// Returns the error of a fetch. Records an issue if the fetch succeeds.
func failure(_ fetcher: Fetcher, _ url: String, sourceLocation: SourceLocation = #_sourceLocation) -> FetchError? {
    do throws(FetchError) {
        let page = try fetcher.fetch(url)
        Issue.record(
            "expected an error, got status \(page.status) from \(page.finalURL)", sourceLocation: sourceLocation)
        return nil
    } catch {
        return error
    }
}

func text(_ page: FetchedPage) -> String { String(decoding: page.body, as: UTF8.self) }
