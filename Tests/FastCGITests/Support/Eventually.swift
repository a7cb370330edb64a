import Glibc

/// Waits until a condition holds. Returns false after a minute, which happens only on failure.
func eventually(_ holds: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
        if holds() { return true }
        usleep(5_000)
    }
    return holds()
}
