import Crypto
import HTTPFetch
import Postgres

/// A leased delivery to a webhook.
struct WebhookDelivery: FetchSubject {
    var id: String
    var userID: String
    var url: String
    /// Signs the body.
    var secret: String
    var event: String
    var body: String
    /// The number of this attempt, from 1.
    var attempt: Int

    /// The request of the delivery, signed with the secret of its webhook.
    var request: FetchRequest {
        let signature = Digest.hex(Digest.hmacSHA256(Array(body.utf8), key: Array(secret.utf8)))
        var request = FetchRequest(url, wantsBody: false)
        request.post = FetchRequest.Post(
            body: body,
            fields: [
                "Content-Type: application/json", "X-Lectern-Event: \(event)", "X-Lectern-Delivery: \(id)",
                "X-Lectern-Signature: sha256=\(signature)",
            ])
        return request
    }
}

extension WebhookDelivery {
    /// - Parameter rows: of `private.take_webhook_deliveries`.
    init(_ rows: Rows, _ row: Int) {
        (id, userID, url) = (rows.text(row, 0) ?? "", rows.text(row, 1) ?? "", rows.text(row, 2) ?? "")
        (secret, event, body) = (rows.text(row, 3) ?? "", rows.text(row, 4) ?? "", rows.text(row, 5) ?? "")
        attempt = rows.int(row, 6) ?? 1
    }
}
