import Glibc
import Settings
import Testing

@Suite("Settings / process environment")
struct EnvironmentTests {
    @Test("a variable of the process is found with its value, also with = in it")
    func found() {
        setenv("LECTERN_TEST_ENVIRONMENT", "a=b", 1)
        defer { unsetenv("LECTERN_TEST_ENVIRONMENT") }
        #expect(Environment.all["LECTERN_TEST_ENVIRONMENT"] == "a=b")
    }
}
