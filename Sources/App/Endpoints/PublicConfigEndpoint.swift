import HTTP
import JSON

/// Answers `/storage/v1/object/public/<bucket>/<path>`. The only public file is `<bucket>/<bucket>-config.json`, the
/// public client configuration.
struct PublicConfigEndpoint {
    private let buckets: [String]
    private let anonKey: String

    init(buckets: [String], anonKey: String) {
        self.buckets = buckets
        self.anonKey = anonKey
    }

    init(_ services: Services) { self.init(buckets: services.configBuckets, anonKey: services.keys.anon) }

    func respond(bucket: String, path: String) throws(ServiceError) -> Response {
        guard buckets.contains(bucket), path == bucket + "-config.json" else { throw .unknownObject }
        return Response(status: 200, json: JSONText.object([("anonKey", JSONText.string(anonKey))]))
    }
}
