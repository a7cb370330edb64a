/// Sends one change to sockets.
struct Delivery {
    private let change: Change
    private let table: Table
    private let now: Moment
    private let row: Row
    /// Written when the first channel wants it.
    private lazy var data = ChangeData.text(change, columns: table.columns)
    private(set) var sent = 0
    /// Messages that were not sent because the token of the channel has expired.
    private(set) var expired = 0
    /// Messages that were not sent because too much waits already.
    private(set) var overflowed = 0

    init(_ change: Change, _ table: Table, at now: Moment) {
        self.change = change
        self.table = table
        self.now = now
        row = Row(change.row)
    }

    /// The time since the row was written, in microseconds.
    var lag: Int { max(0, now.microseconds - change.writtenAt) }

    /// Sends the change to the channels of a socket that show these rows: one message for each, with the ids of all
    /// bindings that match.
    mutating func send(to session: Session, showing rows: Subscriber.Rows) {
        for channel in session.channels where channel.subscriber.rows == rows {
            let ids = channel.bindings.filter { $0.matches(change, row) }.map { String($0.id) }
            guard !ids.isEmpty else { continue }
            // Checked at every message, so no timer is needed: a token that has expired shows nothing from that second
            // on, and a fresh one shows changes again.
            guard !channel.subscriber.isExpired(at: now) else {
                expired += 1
                continue
            }
            guard !session.isOverflowing else {
                overflowed += 1
                continue
            }
            session.push(
                .changes, Array("{\"ids\":[\(ids.joined(separator: ","))],\"data\":".utf8), data, [UInt8(ascii: "}")],
                to: channel)
            if session.isOverflowing { overflowed += 1 } else { sent += 1 }
        }
    }
}
