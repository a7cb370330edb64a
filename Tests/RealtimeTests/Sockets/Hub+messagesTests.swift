import JSON
import Testing

@testable import Realtime

@Suite("Realtime / messages and joins")
struct HubMessagesTests {
    private let fixture = HubFixture()

    @Test("a heartbeat is answered, also without a ref")
    func heartbeat() {
        let (peer, session) = fixture.open()
        fixture.send(session, "phoenix", "heartbeat", ref: "\"5\"")
        fixture.send(session, "phoenix", "heartbeat")
        #expect(peer.events == ["phx_reply", "phx_reply"])
        #expect(peer.messages.map(\.ref) == [.string("5"), .null])
        #expect(peer.messages[0].payload == JSON(parsing: #"{"status":"ok","response":{}}"#.utf8))
    }

    @Test("a join is answered with the bindings and positive ids, then with the presence state")
    func join() {
        let (peer, _) = fixture.watch(
            "alice",
            #"{"event":"INSERT","schema":"public","table":"links"},{"event":"*","filter":"id=eq.1","table":"tags"}"#)
        #expect(peer.events == ["phx_reply", "presence_state"])
        #expect(
            peer.messages[0].payload
                == JSON(
                    parsing: #"""
                        {"status":"ok","response":{"postgres_changes":[
                            {"id":1,"event":"INSERT","schema":"public","table":"links"},
                            {"id":2,"event":"*","filter":"id=eq.1","table":"tags"}]}}
                        """#.utf8))
        #expect(peer.messages[1].payload == .object([]))
    }

    @Test("the channel is told that changes arrive once the feed is live, and later ones at once")
    func system() {
        let first = fixture.watch().peer
        #expect(!first.events.contains("system"))
        fixture.goLive()
        #expect(first.events.last == "system" && first.events.count == 3)
        #expect(
            first.messages.last?.payload
                == JSON(
                    parsing: #"""
                        {"status":"ok","extension":"postgres_changes","message":"Subscribed to PostgreSQL","channel":"a"}
                        """#.utf8))
        #expect(fixture.watch().peer.events.last == "system")
        fixture.goLive()
        #expect(first.events.count == 3)
    }

    @Test("a channel without bindings is told nothing, and one without a user when the feed is live, as any other")
    func systemWithoutFeed() {
        #expect(fixture.watch("alice", "").peer.events == ["phx_reply", "presence_state"])
        #expect(fixture.wantedGenerations.isEmpty)
        let (anonymous, session) = fixture.watch("anon")
        #expect(anonymous.events == ["phx_reply", "presence_state"])
        fixture.goLive()
        #expect(anonymous.events.last == "system")
        // The feed runs already when the token of a user follows.
        fixture.send(session, "realtime:a", "access_token", #"{"access_token":"alice"}"#)
        #expect(fixture.wantedGenerations == [1])
    }

    @Test(
        "a join with an invalid or expired token is refused",
        arguments: [("rubbish", "not a token"), ("expired", "JWT expired"), ("just expired", "Token has expired")])
    func badToken(token: String, reason: String) {
        let (peer, _) = fixture.watch(token)
        fixture.deliver()
        #expect(peer.events == ["phx_reply"] && peer.refusal == reason)
    }

    @Test("a join with a bad binding is refused, and so is one before the tables are known")
    func badBinding() {
        #expect(fixture.watch("alice", #"{"table":"jobs"}"#).peer.refusal?.contains("jobs") == true)
        #expect(fixture.watch("alice", "1").peer.refusal != nil)
        let early = HubFixture(hasTables: false)
        #expect(early.watch().peer.refusal?.hasPrefix("RealtimeRestarting") == true)
        #expect(early.watch("alice", "").peer.refusal == nil)
    }

    @Test("leaving is answered and closes the channel; no change follows")
    func leave() {
        let (peer, session) = fixture.watch()
        fixture.send(session, "realtime:a", "phx_leave", ref: "\"2\"", joinRef: "\"1\"")
        #expect(peer.events.suffix(2) == ["phx_reply", "phx_close"])
        #expect(peer.messages.last?.ref == .string("1"))
        fixture.deliver()
        #expect(peer.changes.isEmpty && fixture.hub.channelCount == 0)
    }

    @Test("a late message about an earlier join does not leave the new one")
    func lateLeave() {
        let (peer, session) = fixture.watch()
        fixture.join(session, "alice", ref: "2")
        fixture.send(session, "realtime:a", "phx_leave", ref: "\"3\"", joinRef: "\"1\"")
        #expect(peer.events.last == "phx_reply" && fixture.hub.channelCount == 1)
    }

    @Test("joining a topic again replaces the channel without closing it")
    func joinAgain() {
        let (peer, session) = fixture.watch()
        fixture.join(session, "alice", ref: "2", #"{"event":"DELETE","table":"tags"}"#)
        fixture.deliver()
        #expect(peer.changes.isEmpty && !peer.events.contains("phx_close"))
        fixture.deliver(HubFixture.change(.delete, table: "tags"))
        #expect(peer.changes == [[2]])
    }

    @Test("topics are the same only if their bytes are")
    func topics() {
        let (peer, session) = fixture.watch("alice", topic: "realtime:\u{e9}")
        fixture.join(session, "alice", topic: "realtime:e\u{301}")
        fixture.join(session, "alice", topic: "realtime:\u{301}")
        fixture.goLive()
        #expect(peer.refusal == nil && fixture.hub.channelCount == 3)
        let names = peer.messages.filter { $0.event == "system" }.compactMap { $0.payload["channel"]?.string }
        #expect(names.map { Array($0.utf8) } == ["\u{e9}", "e\u{301}", "\u{301}"].map { Array($0.utf8) })
    }

    @Test("broadcasts and presence are acknowledged", arguments: ["broadcast", "presence"])
    func acknowledged(event: String) {
        let (peer, session) = fixture.watch()
        peer.forgetMessages()
        fixture.send(session, "realtime:a", event, ref: "\"9\"")
        fixture.send(session, "realtime:a", event)
        #expect(peer.events == ["phx_reply"] && peer.refusal == nil)
    }

    @Test("messages to topics that are not joined are refused", arguments: ["broadcast", "access_token", "rubbish"])
    func unmatched(event: String) {
        let (peer, session) = fixture.open()
        fixture.send(session, "realtime:b", event, ref: "\"9\"")
        #expect(peer.refusal == "unmatched topic" && peer.closed == nil)
    }

    @Test("text that is not a message closes the socket alone")
    func rubbish() {
        let (peer, session) = fixture.watch()
        let other = fixture.watch().peer
        fixture.receive("[1", from: session)
        fixture.deliver()
        #expect(peer.closed == .malformed && peer.changes.isEmpty)
        #expect(other.closed == nil && other.changes == [[1]])
    }

    @Test("a binary frame is a broadcast with arrays, and closes the socket otherwise")
    func binary() {
        let broadcast: [UInt8] = [3, 0, 1, 10, 0, 0, 1] + Array("1realtime:a".utf8)
        let (peer, session) = fixture.open()
        fixture.hub.receive(binary: broadcast, from: session, at: fixture.now)
        #expect(peer.closed == .binary)
        let other = FakePeer()
        let key = Subscriber(rows: .none, expiresAt: .max)
        let arrays = fixture.hub.open(other, .arrays, key: key, at: fixture.now)
        fixture.hub.receive(binary: broadcast, from: arrays, at: fixture.now)
        #expect(other.closed == nil)
        fixture.hub.receive(binary: [1, 2], from: arrays, at: fixture.now)
        #expect(other.closed == .binary)
    }
}
