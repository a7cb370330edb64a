import HTTP
import Testing

@testable import App

@Suite("App / public files")
struct PublicConfigEndpointTests {
    private let endpoint = PublicConfigEndpoint(buckets: ["a"], anonKey: "key")

    @Test("the client configuration of a bucket contains the anon key")
    func configuration() throws {
        #expect(try endpoint.respond(bucket: "a", path: "a-config.json").body == Array(#"{"anonKey":"key"}"#.utf8))
    }

    @Test("there is no other file", arguments: [("a", "b-config.json"), ("b", "b-config.json"), ("a", "")])
    func unknown(bucket: String, path: String) {
        #expect(throws: ServiceError.unknownObject) { try endpoint.respond(bucket: bucket, path: path) }
    }
}
