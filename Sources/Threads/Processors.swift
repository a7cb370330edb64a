import Glibc

/// The processors of the machine.
public enum Processors {
    /// At least one.
    public static var count: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
