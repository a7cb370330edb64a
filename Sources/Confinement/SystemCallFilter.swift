import CSeccomp
import Glibc

/// The system calls that a confined process may make.
enum SystemCallFilter {
    /// Calls that computing needs: memory, time, open descriptors, `exit` and returning from signal handlers.
    private static let allowed = [
        "read", "write", "brk", "munmap", "mremap", "madvise", "futex", "clock_gettime", "gettimeofday", "getrandom",
        "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall", "setitimer", "getpid",
        "gettid",
        "sched_yield", "close", "exit", "exit_group",
    ]

    /// Calls that only a compromised process makes: for other processes, other programs, the network or other
    /// processes' memory. They end the process at once. All other calls fail with EPERM: the C library may try them and
    /// continue without, as it does with missing files.
    private static let fatal = [
        "fork", "vfork", "clone", "clone3", "execve", "execveat", "kill", "tkill", "ptrace", "process_vm_readv",
        "process_vm_writev", "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "socket", "socketpair", "connect",
        "bind", "listen",
        "accept", "accept4", "sendto", "sendmsg", "sendmmsg", "recvmsg", "io_uring_setup", "bpf", "userfaultfd",
        "unshare", "setns",
        "mount", "chroot", "pivot_root", "init_module", "finit_module", "kexec_load", "keyctl", "add_key",
        "request_key",
        "memfd_create", "perf_event_open",
    ]

    /// Activates the filter for the rest of the process's lifetime.
    ///
    /// - Returns: false if the system has no filters.
    static func load(_ threads: Confinement.Threads = .none) -> Bool {
        guard let filter = seccomp_init(confinement_refuse()) else { return false }
        defer { seccomp_release(filter) }
        var results = allowed.map { seccomp_rule_add_array(filter, UInt32(SCMP_ACT_ALLOW), number($0), 0, nil) }
        if threads == .own { results += allowThreads(filter) }
        for name in fatal where threads == .none || !threadCalls.contains(name) {
            let number = number(name)
            // A call that the library does not know does not exist on this architecture or is newer. It fails with
            // EPERM.
            guard number != __NR_SCMP_ERROR else { continue }
            results.append(seccomp_rule_add_array(filter, UInt32(SCMP_ACT_KILL_PROCESS), number, 0, nil))
        }
        // Memory that is not executable, and tgkill of the own process, which abort uses.
        results.append(confinement_allow_without(filter, number("mmap"), 2, UInt64(PROT_EXEC)))
        results.append(confinement_allow_without(filter, number("mprotect"), 2, UInt64(PROT_EXEC)))
        results.append(confinement_allow_with(filter, number("tgkill"), 0, UInt64(getpid())))
        return results.allSatisfy { $0 == 0 } && seccomp_load(filter) == 0
    }

    /// Calls that start a thread or a process.
    private static let threadCalls = ["clone", "clone3"]

    /// Allows clone only with the flag for threads. Without the flag it starts a process, and the caller is killed. The
    /// arguments of clone3 are in memory, which filters cannot read, so it fails as unsupported and the C library uses
    /// clone instead.
    private static func allowThreads(_ filter: scmp_filter_ctx) -> [Int32] {
        [
            confinement_allow_with_all(filter, number("clone"), 0, UInt64(confinement_clone_thread)),
            confinement_kill_without(filter, number("clone"), 0, UInt64(confinement_clone_thread)),
            seccomp_rule_add_array(filter, confinement_not_there(), number("clone3"), 0, nil),
        ]
            + ["set_robust_list", "rseq", "sched_getaffinity"].map {
                seccomp_rule_add_array(filter, UInt32(SCMP_ACT_ALLOW), number($0), 0, nil)
            }
    }

    private static func number(_ name: String) -> Int32 { seccomp_syscall_resolve_name(name) }
}
