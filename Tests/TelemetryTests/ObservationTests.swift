import Telemetry
import Testing

@Suite("Telemetry / observations")
struct ObservationTests {
    @Test("durations convert to milliseconds")
    func milliseconds() {
        #expect(Duration.seconds(2).milliseconds == 2_000)
        #expect(Duration.microseconds(1_500).milliseconds == 1.5)
    }
}
