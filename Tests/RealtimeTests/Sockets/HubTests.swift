import Testing

@testable import Realtime

@Suite("Realtime / changes")
struct HubTests {
    private let fixture = HubFixture()

    @Test("a change goes to every socket of its owner and to nobody else", arguments: Change.Operation.allCases)
    func ownRowsOnly(operation: Change.Operation) {
        let (phone, laptop) = (fixture.watch().peer, fixture.watch().peer)
        let (bob, nobody, key) = (fixture.watch("bob").peer, fixture.watch(nil).peer, fixture.watch("anon").peer)
        fixture.deliver(HubFixture.change(operation))
        #expect(phone.changes == [[1]] && laptop.changes == [[1]])
        #expect(bob.changes.isEmpty && nobody.changes.isEmpty && key.changes.isEmpty)
    }

    @Test("the service key sees everybody's rows")
    func service() {
        let peer = fixture.watch("service").peer
        fixture.deliver(HubFixture.change(of: HubFixture.alice))
        fixture.deliver(HubFixture.change(of: HubFixture.bob))
        #expect(peer.changes == [[1], [1]])
    }

    @Test("a channel gets one message for a change, with the ids of all bindings that match")
    func ids() {
        let peer = fixture.watch(
            "alice",
            #"{"event":"*"},{"event":"INSERT","table":"links"},{"event":"DELETE","table":"links"},{"table":"tags"}"#
        ).peer
        fixture.deliver()
        fixture.deliver(HubFixture.change(.delete))
        fixture.deliver(HubFixture.change(.update, table: "tags"))
        #expect(peer.changes == [[1, 2], [1, 3], [1, 4]])
    }

    @Test("each channel of a socket gets its own message")
    func channels() {
        let (peer, session) = fixture.watch()
        fixture.join(session, "alice", topic: "realtime:b")
        fixture.join(session, "bob", topic: "realtime:c")
        fixture.deliver()
        let changes = peer.messages.filter { $0.event == "postgres_changes" }
        #expect(changes.map(\.topic) == ["realtime:a", "realtime:b"] && peer.changes == [[1], [2]])
        #expect(changes.allSatisfy { $0.ref == .null && $0.joinRef == .string("1") })
    }

    @Test("filters look at the new row, and at the old one of a delete")
    func filters() {
        let peer = fixture.watch("alice", #"{"table":"links","filter":"title=eq.a"}"#).peer
        fixture.deliver(HubFixture.change(.update, row: #"{"title": "b"}"#))
        fixture.deliver(HubFixture.change(.delete, row: #"{"title": "b"}"#))
        #expect(peer.changes.isEmpty)
        for operation in Change.Operation.allCases { fixture.deliver(HubFixture.change(operation)) }
        #expect(peer.changes.count == 3)
    }

    @Test("no change is sent from the second in which the token expires, until a fresh one arrives")
    func expiry() {
        let (peer, session) = fixture.watch()
        fixture.now.microseconds = HubFixture.expiry * 1_000_000 - 1
        fixture.deliver()
        fixture.now.microseconds += 1
        fixture.deliver()
        #expect(peer.changes.count == 1 && fixture.hub.counters.expired == 1)
        fixture.send(session, "realtime:a", "access_token", #"{"access_token":"alice again"}"#)
        fixture.deliver()
        #expect(peer.changes.count == 2 && peer.closed == nil)
    }

    @Test("a pushed token takes effect at once and is not answered")
    func pushedToken() {
        let (peer, session) = fixture.watch("anon")
        peer.forgetMessages()
        fixture.send(session, "realtime:a", "access_token", #"{"access_token":"alice"}"#, ref: "\"3\"")
        fixture.deliver()
        fixture.send(session, "realtime:a", "access_token", #"{"access_token":"bob"}"#)
        fixture.deliver()
        fixture.deliver(HubFixture.change(of: HubFixture.bob))
        #expect(peer.events == ["postgres_changes", "postgres_changes"])
        fixture.send(session, "realtime:a", "access_token", #"{"access_token":null}"#)
        fixture.deliver(HubFixture.change(of: HubFixture.bob))
        #expect(peer.changes.count == 2)
    }

    @Test("a pushed token that has expired silences the channel; an invalid one closes it")
    func badPushedToken() {
        let (peer, session) = fixture.watch()
        fixture.send(session, "realtime:a", "access_token", #"{"access_token":"expired"}"#)
        fixture.deliver()
        #expect(peer.changes.isEmpty && !peer.events.contains("phx_close"))
        fixture.send(session, "realtime:a", "access_token", #"{"access_token":"alice again"}"#)
        fixture.deliver()
        #expect(peer.changes.count == 1)
        fixture.send(session, "realtime:a", "access_token", #"{"access_token":"rubbish"}"#)
        fixture.deliver()
        #expect(peer.events.suffix(2) == ["system", "phx_close"] && peer.changes.count == 1)
        #expect(peer.messages.suffix(2).first?.payload["status"] == .string("error"))
    }

    @Test("changes are wanted while a channel has bindings, each time with another number")
    func wantedChanges() {
        let (_, first) = fixture.watch(nil)
        let (_, second) = fixture.watch()
        #expect(fixture.wantedGenerations == [1])
        fixture.hub.forget(first)
        #expect(fixture.wantedGenerations == [1])
        fixture.send(second, "realtime:a", "phx_leave")
        #expect(fixture.wantedGenerations == [1, nil])
        fixture.join(second, "alice")
        #expect(fixture.wantedGenerations == [1, nil, 2])
    }

    @Test("the feed of an earlier number does not count as live")
    func lateAnswer() {
        let (peer, session) = fixture.watch()
        fixture.send(session, "realtime:a", "phx_leave")
        fixture.join(session, "alice", ref: "2")
        fixture.hub.feedIsLive(1)
        #expect(!peer.events.contains("system"))
        fixture.hub.feedIsLive(2)
        #expect(peer.events.last == "system")
    }

    @Test("while changes are late, joins succeed and are told later that changes arrive")
    func interruption() {
        _ = fixture.watch()
        fixture.goLive()
        fixture.hub.feedIsInterrupted()
        let peer = fixture.watch().peer
        #expect(peer.events == ["phx_reply", "presence_state"])
        fixture.goLive()
        #expect(peer.events.last == "system")
    }

    @Test("a socket may be lost while it is sent something")
    func lostSocket() {
        let (peer, session) = fixture.watch()
        fixture.join(session, "alice", topic: "realtime:b")
        peer.beforeMessage = { [fixture] in fixture.hub.forget(session) }
        fixture.goLive()
        let (other, another) = fixture.watch()
        fixture.join(another, "alice", topic: "realtime:b")
        other.beforeMessage = { [fixture] in fixture.hub.forget(another) }
        fixture.deliver()
        #expect(fixture.hub.socketCount == 0 && fixture.hub.channelCount == 0)
    }

    @Test("sockets that may have missed changes are closed, and no others")
    func gap() {
        let (watching, anonymous, idle) = (fixture.watch().peer, fixture.watch(nil).peer, fixture.open().peer)
        fixture.hub.feedHasGap()
        #expect(watching.closed == .gap && anonymous.closed == .gap && idle.closed == nil)
    }

    @Test("changes of tables that are not known are dropped")
    func unknownTable() {
        let peer = fixture.watch().peer
        fixture.deliver(HubFixture.change(table: "rules"))
        #expect(peer.changes.isEmpty && peer.closed == nil)
    }

    @Test("the metrics count sockets, channels, messages and times")
    func metrics() {
        _ = fixture.watch()
        _ = fixture.watch("rubbish")
        fixture.now.microseconds = 1_709_209_815_000_001 + 30_000
        fixture.deliver()
        let outbox = Outbox(Limits(), at: fixture.now)
        outbox.bytes = 7
        let text = fixture.hub.metrics(outbox)
        for line in [
            "lectern_realtime_sockets 2", "lectern_realtime_queued_bytes 7", "lectern_realtime_channels 1",
            "lectern_realtime_refused_joins_total 1",
            #"lectern_realtime_closed_sockets_total{reason="slow_reader"} 0"#,
        ] {
            #expect(text.contains(line + "\n"), "\(line)")
        }
    }
}
