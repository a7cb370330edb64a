import CSeccomp
import Glibc

/// Which system calls a confined process may make.
enum SystemCallFilter {
    /// What computing takes: memory, time, and the descriptors that are open. `exit` and signals' own end included.
    private static let allowed = [
        "read", "write", "brk", "munmap", "mremap", "madvise", "futex", "clock_gettime", "gettimeofday", "getrandom",
        "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall", "setitimer", "getpid", "gettid",
        "sched_yield", "close", "exit", "exit_group",
    ]

    /// What only a process asks for that is ours no more: other processes, other programs, the network, others' memory.
    /// It ends at once. All that is neither here nor allowed is refused with EPERM: the C library may try and do without,
    /// as it does where a file is not there.
    private static let fatal = [
        "fork", "vfork", "clone", "clone3", "execve", "execveat", "kill", "tkill", "ptrace", "process_vm_readv",
        "process_vm_writev", "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "socket", "socketpair", "connect", "bind", "listen",
        "accept", "accept4", "sendto", "sendmsg", "sendmmsg", "recvmsg", "io_uring_setup", "bpf", "userfaultfd", "unshare", "setns",
        "mount", "chroot", "pivot_root", "init_module", "finit_module", "kexec_load", "keyctl", "add_key", "request_key",
        "memfd_create", "perf_event_open",
    ]

    /// Puts the filter in force for the rest of the process's life.
    ///
    /// - Returns: false where the system has none.
    static func load(_ threads: Confinement.Threads = .none) -> Bool {
        guard let filter = seccomp_init(confinement_refuse()) else { return false }
        defer { seccomp_release(filter) }
        var results = allowed.map { seccomp_rule_add_array(filter, UInt32(SCMP_ACT_ALLOW), number($0), 0, nil) }
        if threads == .own { results += allowThreads(filter) }
        for name in fatal where threads == .none || !threadCalls.contains(name) {
            let number = number(name)
            // A call the library does not know is none of this architecture, or newer: refused.
            if number != __NR_SCMP_ERROR { results.append(seccomp_rule_add_array(filter, UInt32(SCMP_ACT_KILL_PROCESS), number, 0, nil)) }
        }
        // Memory that is never code; and abort, which signals its own process.
        results.append(confinement_allow_without(filter, number("mmap"), 2, UInt64(PROT_EXEC)))
        results.append(confinement_allow_without(filter, number("mprotect"), 2, UInt64(PROT_EXEC)))
        results.append(confinement_allow_with(filter, number("tgkill"), 0, UInt64(getpid())))
        return results.allSatisfy { $0 == 0 } && seccomp_load(filter) == 0
    }

    /// What starts a thread, or a process.
    private static let threadCalls = ["clone", "clone3"]

    /// A thread is a clone that says so; any other is a process, and the end. What clone3 is asked for lies in memory, where no
    /// filter looks: it is not there, and the C library asks the old way.
    private static func allowThreads(_ filter: scmp_filter_ctx) -> [Int32] {
        [
            confinement_allow_with_all(filter, number("clone"), 0, UInt64(confinement_clone_thread)),
            confinement_kill_without(filter, number("clone"), 0, UInt64(confinement_clone_thread)),
            seccomp_rule_add_array(filter, confinement_not_there(), number("clone3"), 0, nil),
        ] + ["set_robust_list", "rseq", "sched_getaffinity"].map {
            seccomp_rule_add_array(filter, UInt32(SCMP_ACT_ALLOW), number($0), 0, nil)
        }
    }

    private static func number(_ name: String) -> Int32 { seccomp_syscall_resolve_name(name) }
}
