import Neighbours
import Testing

@testable import App

@Suite("App / areas")
struct APIFamilyTests {
    @Test(
        "the first segment of a path gives its API family",
        arguments: [
            ("/rest/v1/links", APIFamily.rest), ("/auth/v1/token", .auth), ("/storage/v1/x", .storage),
            ("/functions/v1/x", .functions), ("/books/x.epub", .library), ("/opds", .library), ("/opds/new", .library),
            ("/feed/t/x/unread.atom", .library), ("/api/version", .neighbour(.wallabag)),
            ("/oauth/v2/token", .neighbour(.wallabag)), ("/api", .other), ("/opdsx", .other), ("/books", .other),
            ("/health", .other), ("/restless", .other), ("", .other),
        ])
    func families(path: String, family: APIFamily) { #expect(APIFamily(path: path) == family) }
}
