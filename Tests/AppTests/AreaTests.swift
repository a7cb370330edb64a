import Testing

@testable import App

@Suite("App / areas")
struct AreaTests {
    @Test(
        "the first segment of a path gives its area",
        arguments: [
            ("/rest/v1/links", Area.rest), ("/auth/v1/token", .auth), ("/storage/v1/x", .storage),
            ("/functions/v1/x", .functions),
            ("/health", .other), ("/restless", .other), ("", .other),
        ])
    func areas(path: String, area: Area) { #expect(Area(path: path) == area) }
}
