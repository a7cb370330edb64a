import FoundationEssentials
import JSON
import Testing

@testable import Realtime

/// A client of the hub that records what it gets.
final class FakePeer: Peer {
    private(set) var messages: [ClientMessage] = []
    private(set) var closed: CloseReason?
    private(set) var pings = 0
    /// Whether it reads what is sent.
    var reads = true
    /// Called before each message.
    var beforeMessage = {}

    func send(_ message: [UInt8]) -> Bool {
        beforeMessage()
        guard reads else { return false }
        // Messages to and from clients have the same form.
        if let message = ClientMessage(message, .objects) { messages.append(message) }
        return true
    }
    func ping() { pings += 1 }
    func close(_ reason: CloseReason) { closed = reason }

    /// The events of the messages so far.
    var events: [String] { messages.map(\.event) }
    /// The ids of the bindings of each change so far.
    var changes: [[Int]] {
        messages.filter { $0.event == "postgres_changes" }.map { message in
            message.payload["ids"]?.array?.map { if case .number(let id) = $0 { Int(id) } else { 0 } } ?? []
        }
    }
    /// The reason of the last reply, if it was refused.
    var refusal: String? { messages.last { $0.event == "phx_reply" }?.payload["response"]?["reason"]?.string }

    func forgetMessages() { messages = [] }
}

/// A hub whose tokens are the names of users, and `expired`, `service` and `anon`.
final class HubFixture {
    static let alice = UUID()
    static let bob = UUID()
    static let tables = Tables([
        Table(
            name: "links", columns: [.init(name: "id", type: "text"), .init(name: "title", type: "text")]),
        Table(name: "tags", columns: [.init(name: "id", type: "text")]),
    ])
    /// When tokens expire, in epoch seconds.
    static let expiry = 2_000

    var now = Moment(microseconds: 1_000_000_000, uptime: 0)
    private(set) var wantedGenerations: [Int?] = []
    private(set) var hub: Hub!

    init(_ limits: Limits = Limits(), hasTables: Bool = true) {
        hub = Hub(limits: limits, verify: Self.verify) { [unowned self] in wantedGenerations.append($0) }
        if hasTables { hub.use(Self.tables) }
    }

    private static func verify(_ token: String, _ now: Int) throws(TokenRefusal) -> Subscriber {
        switch token {
        case "alice": Subscriber(rows: .own(alice), expiresAt: expiry)
        case "alice again": Subscriber(rows: .own(alice), expiresAt: 2 * expiry)
        case "bob": Subscriber(rows: .own(bob), expiresAt: expiry)
        case "service": Subscriber(rows: .all, expiresAt: expiry)
        case "anon": Subscriber(rows: .none, expiresAt: .max)
        case "expired": throw .expired("JWT expired")
        case "just expired": Subscriber(rows: .own(alice), expiresAt: now)
        default: throw .invalid("not a token")
        }
    }

    /// Opens a socket with the anon key.
    func open() -> (peer: FakePeer, session: Session) {
        let peer = FakePeer()
        return (peer, hub.open(peer, .objects, key: Subscriber(rows: .none, expiresAt: .max), at: now))
    }

    /// Opens a socket and joins a topic with one binding.
    func watch(
        _ token: String? = "alice", topic: String = "realtime:a",
        _ bindings: String = #"{"event":"*","schema":"public"}"#
    ) -> (peer: FakePeer, session: Session) {
        let opened = open()
        join(opened.session, token, topic: topic, bindings)
        return opened
    }

    func join(
        _ session: Session, _ token: String?, topic: String = "realtime:a", ref: String = "1",
        _ bindings: String = #"{"event":"*","schema":"public"}"#
    ) {
        let token = token.map { ",\"access_token\":\"\($0)\"" } ?? ""
        send(
            session, topic, "phx_join", #"{"config":{"postgres_changes":[\#(bindings)]}\#(token)}"#, ref: "\"\(ref)\"",
            joinRef: "\"\(ref)\"")
    }

    func send(
        _ session: Session, _ topic: String, _ event: String, _ payload: String = "{}", ref: String = "null",
        joinRef: String = "null"
    ) {
        let text =
            #"{"topic":"\#(topic)","event":"\#(event)","payload":\#(payload),"ref":\#(ref),"join_ref":\#(joinRef)}"#
        receive(text, from: session)
    }

    /// Handles a message as a frame of its own.
    func receive(_ text: String, from session: Session) {
        guard hub.heard(session, bytes: text.utf8.count, at: now) else { return }
        hub.receive(Array(text.utf8), from: session, at: now)
    }

    func deliver(_ change: Change = HubFixture.change()) { hub.deliver(change, at: now) }

    /// Tells the hub that the feed it has asked for last is live.
    func goLive() { if case .some(.some(let wanted)) = wantedGenerations.last { hub.feedIsLive(wanted) } }

    static func change(
        _ operation: Change.Operation = .insert, of user: UUID = alice, table: String = "links",
        row: String = #"{"id": "1", "title": "a"}"#
    ) -> Change {
        Change(
            user: user, table: table, operation: operation, key: Array(#"{"id": "1"}"#.utf8), row: Array(row.utf8),
            writtenAt: 1_709_209_815_000_001)
    }
}
