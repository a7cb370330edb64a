import CFuzzing
import Glibc

/// Gives one parser inputs that libFuzzer makes, and ends at the first one that crashes it or breaks its promise.
///
///     fuzz TARGET [OPTION OF LIBFUZZER…] [CORPUS…]
@main
enum Fuzzing {
    private static let target = CommandLine.arguments.dropFirst().first.flatMap(Target.init)

    static func main() {
        guard target != nil else {
            let names = Target.allCases.map(\.rawValue).joined(separator: "|")
            print("usage: fuzz \(names) [OPTION OF LIBFUZZER…] [CORPUS…]")
            exit(2)
        }
        // libFuzzer sees the target as the name of its program.
        var count = CommandLine.argc - 1
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
        exit(
            LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
                Fuzzing.target?.test(Array(UnsafeBufferPointer(start: bytes, count: count)))
                return 0
            })
    }
}

/// Ends the run: libFuzzer reports the input that was being tested.
func promise(_ isKept: Bool, _ text: @autoclosure () -> String) {
    if !isKept { fatalError(text()) }
}
