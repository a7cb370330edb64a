import Testing

@testable import Realtime

@Suite("Realtime / limits")
struct LimitsTests {
    @Test("a socket that sends more messages than the rate is closed, and no other")
    func rate() {
        var limits = Limits()
        limits.messages = .init(burst: 3, perSecond: 1)
        let fixture = HubFixture(limits)
        let (peer, session) = fixture.open()
        let other = fixture.watch().peer
        for _ in 0..<3 { fixture.send(session, "phoenix", "heartbeat") }
        fixture.now.uptime = 1_000
        fixture.send(session, "phoenix", "heartbeat")
        #expect(peer.closed == nil)
        fixture.send(session, "phoenix", "heartbeat")
        #expect(peer.closed == .tooManyMessages && peer.messages.count == 4 && other.closed == nil)
    }

    @Test("a socket that sends more bytes than the rate is closed, however few messages they are")
    func byteRate() {
        let fixture = HubFixture()
        let (peer, session) = fixture.open()
        let large = "\"" + String(repeating: "x", count: 60_000) + "\""
        for _ in 0..<17 { fixture.send(session, "phoenix", "heartbeat", large) }
        fixture.now.uptime = 1_000
        fixture.send(session, "phoenix", "heartbeat", large)
        #expect(peer.closed == nil)
        fixture.send(session, "phoenix", "heartbeat", large)
        #expect(peer.closed == .tooManyMessages && peer.messages.count == 18)
    }

    @Test("without a rate any number of messages is answered")
    func noRate() {
        var limits = Limits()
        (limits.messages, limits.bytes) = (nil, nil)
        let fixture = HubFixture(limits)
        let (peer, session) = fixture.open()
        for _ in 0..<5_000 { fixture.send(session, "phoenix", "heartbeat") }
        #expect(peer.closed == nil)
    }

    @Test("channels, bindings and the size of joins are limited; joining again does not count twice")
    func joins() {
        var limits = Limits()
        (limits.channelsPerSocket, limits.bindingsPerChannel, limits.joinBytesPerSocket) = (2, 2, 500)
        let fixture = HubFixture(limits)
        let (peer, session) = fixture.watch()
        fixture.join(session, "alice", topic: "realtime:b")
        fixture.join(session, "alice", topic: "realtime:b")
        #expect(peer.refusal == nil)
        fixture.join(session, "alice", topic: "realtime:c")
        #expect(peer.refusal?.hasPrefix("ChannelRateLimitReached") == true)
        fixture.join(session, "alice", topic: "realtime:b", "{},{},{}")
        #expect(peer.refusal?.contains("at most 2") == true)
        fixture.send(session, "realtime:b", "phx_leave")
        fixture.join(session, "alice", topic: "realtime:b" + String(repeating: "x", count: 400), "")
        #expect(peer.refusal?.contains("too large") == true)
        #expect(peer.closed == nil)
    }

    @Test("references, entries and the values of filters count as parts of a join")
    func joinMemory() {
        var limits = Limits()
        limits.joinBytesPerSocket = 600
        let fixture = HubFixture(limits)
        let values = #"{"table":"links","filter":"id=in.(1,2,3,4,5,6,7)"}"#
        #expect(fixture.watch("alice", values).peer.refusal?.contains("too large") == true)
        #expect(fixture.watch("alice", "{},{},{},{},{}").peer.refusal?.contains("too large") == true)
        #expect(fixture.watch("alice", "{},{},{}").peer.refusal == nil)
        let (peer, session) = fixture.open()
        // Each takes its topic and its reference, together 74 bytes.
        for topic in 0..<9 {
            fixture.join(session, "alice", topic: "realtime:\(topic)", ref: String(repeating: "1", count: 62), "")
        }
        #expect(peer.refusal?.contains("too large") == true && session.channels.count == 8)
    }

    @Test("a user watches on a limited number of sockets; other users are not affected")
    func socketsPerUser() {
        var limits = Limits()
        limits.socketsPerUser = 2
        let fixture = HubFixture(limits)
        let (peer, session) = fixture.watch()
        _ = fixture.watch()
        #expect(fixture.watch().peer.refusal?.hasPrefix("ConnectionRateLimitReached") == true)
        fixture.join(session, "alice", topic: "realtime:b")
        #expect(peer.refusal == nil)
        #expect(fixture.watch("bob").peer.refusal == nil)
        let (anonymous, third) = fixture.watch("anon")
        fixture.send(third, "realtime:a", "access_token", #"{"access_token":"alice"}"#)
        #expect(anonymous.events.last == "phx_close")
    }

    @Test("the bindings of a user on all sockets are limited; those that are replaced or left do not count")
    func bindingsPerUser() {
        var limits = Limits()
        limits.bindingsPerUser = 3
        let fixture = HubFixture(limits)
        let (peer, session) = fixture.watch("alice", "{},{}")
        fixture.join(session, "alice", "{},{},{}")
        #expect(peer.refusal == nil)
        let refused = fixture.watch("alice").peer.refusal
        #expect(refused?.hasPrefix("ChannelRateLimitReached") == true)
        #expect(fixture.watch("bob").peer.refusal == nil)
        let (anonymous, other) = fixture.watch("anon")
        fixture.send(other, "realtime:a", "access_token", #"{"access_token":"alice"}"#)
        #expect(anonymous.events.last == "phx_close")
        fixture.send(session, "realtime:a", "access_token", #"{"access_token":"alice again"}"#)
        #expect(!peer.events.contains("phx_close"))
        fixture.send(session, "realtime:a", "phx_leave")
        #expect(fixture.watch("alice", "{},{},{}").peer.refusal == nil)
    }

    @Test("a socket that does not read is closed, and the change reaches the others")
    func slowReader() {
        let fixture = HubFixture()
        let (slow, other) = (fixture.watch().peer, fixture.watch().peer)
        slow.reads = false
        fixture.deliver()
        fixture.deliver()
        #expect(slow.closed == .slowReader && other.changes.count == 2)
        #expect(fixture.hub.counters.overflowed == 1 && fixture.hub.socketCount == 1)
    }

    @Test("replies, too, close a socket that does not read")
    func unreadReplies() {
        let fixture = HubFixture()
        let (peer, session) = fixture.open()
        peer.reads = false
        fixture.send(session, "phoenix", "heartbeat")
        #expect(peer.closed == .slowReader)
    }

    @Test("a silent socket gets a ping, and is closed when it stays silent")
    func silence() {
        let fixture = HubFixture()
        let (dead, _) = fixture.open()
        let (alive, session) = fixture.open()
        fixture.now.uptime = 35_000
        fixture.hub.tick(at: fixture.now)
        fixture.hub.tick(at: fixture.now)
        #expect(dead.pings == 1 && alive.pings == 1)
        #expect(fixture.hub.heard(session, bytes: 0, at: fixture.now))
        fixture.now.uptime = 60_000
        fixture.hub.tick(at: fixture.now)
        #expect(dead.closed == .dead && alive.closed == nil)
        fixture.now.uptime = 75_000
        fixture.hub.tick(at: fixture.now)
        #expect(alive.pings == 2)
    }

    @Test("at a stop the sockets are closed in parts")
    func stop() {
        let fixture = HubFixture()
        let peers = (0..<5).map { _ in fixture.open().peer }
        fixture.hub.close(atMost: 2, .restart)
        #expect(peers.count { $0.closed == .restart } == 2)
        fixture.hub.close(atMost: 10, .restart)
        #expect(peers.allSatisfy { $0.closed == .restart } && fixture.hub.socketCount == 0)
    }

    @Test("the texts of close frames fit into a control frame", arguments: CloseReason.allCases)
    func closeTexts(reason: CloseReason) { #expect(reason.text.utf8.count <= 123) }
}
