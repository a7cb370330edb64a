#include <errno.h>
#include <malloc.h>
#include <seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

// The binding to libseccomp and to the parts of the C library that the Confinement module needs and Swift cannot call:
// macros with arguments, variadic functions and signal handlers.

// The exit statuses of a confined process that reached one of its limits.
enum { confinement_over_memory = 81, confinement_over_time = 82 };

// CLONE_THREAD of the kernel's linux/sched.h, which conflicts with the C library's headers.
enum { confinement_clone_thread = 0x00010000 };

static inline uint32_t confinement_refuse(void) { return SCMP_ACT_ERRNO(EPERM); }
static inline uint32_t confinement_not_there(void) { return SCMP_ACT_ERRNO(ENOSYS); }

/// Allows a call if its argument number `place` has none of the bits of `mask`.
static inline int confinement_allow_without(scmp_filter_ctx filter, int call, unsigned place, uint64_t mask) {
    struct scmp_arg_cmp compare = {.arg = place, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = 0};
    return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, 1, &compare);
}

/// Allows a call if its argument number `place` has all bits of `mask`.
static inline int confinement_allow_with_all(scmp_filter_ctx filter, int call, unsigned place, uint64_t mask) {
    struct scmp_arg_cmp compare = {.arg = place, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = mask};
    return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, 1, &compare);
}

/// Kills the process at a call whose argument number `place` has none of the bits of `mask`.
static inline int confinement_kill_without(scmp_filter_ctx filter, int call, unsigned place, uint64_t mask) {
    struct scmp_arg_cmp compare = {.arg = place, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = 0};
    return seccomp_rule_add_array(filter, SCMP_ACT_KILL_PROCESS, call, 1, &compare);
}

/// Allows a call if its argument number `place` equals `value`.
static inline int confinement_allow_with(scmp_filter_ctx filter, int call, unsigned place, uint64_t value) {
    struct scmp_arg_cmp compare = {.arg = place, .op = SCMP_CMP_EQ, .datum_a = value, .datum_b = 0};
    return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, 1, &compare);
}

static inline int confinement_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }
static inline int confinement_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }
static inline int confinement_set_name(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

/// Sets a limit permanently. Only a privileged process can raise it again.
static inline int confinement_limit(int resource, uint64_t most) {
    struct rlimit limit = {.rlim_cur = most, .rlim_max = most};
    return setrlimit((__rlimit_resource_t)resource, &limit);
}

// Distinguishes running out of memory from other faults. When malloc fails it sets errno, and Swift (or C++) then ends
// the process by a signal, as for any other fault. Nothing between the two changes errno, so ENOMEM identifies the
// cause. A failed system call of malloc for which another one succeeded also leaves ENOMEM: a fault in a process so
// close to its limit then counts as reaching the limit.
static void confinement_on_fault(int number) {
    (void)number;
    if (errno == ENOMEM) _exit(confinement_over_memory);
    // SA_RESETHAND: after the return the fault happens again and ends the process by its own signal.
}

static void confinement_on_timer(int number) {
    (void)number;
    _exit(confinement_over_time);
}

static inline int confinement_handle_signals(void) {
    const int faults[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = confinement_on_fault;
    action.sa_flags = SA_RESETHAND;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (sigaction(faults[i], &action, NULL) != 0) return -1;
    action.sa_handler = confinement_on_timer;
    return sigaction(SIGPROF, &action, NULL);
}

/// Sets the processor time after which the process ends, in seconds. 0 removes the limit.
static inline int confinement_set_timer(int seconds) {
    struct itimerval timer = {.it_value = {.tv_sec = seconds}};
    return setitimer(ITIMER_PROF, &timer, NULL);
}

/// Makes malloc map every block of at least this many bytes separately, whatever sizes were freed before.
static inline int confinement_map_blocks_from(int bytes) { return mallopt(M_MMAP_THRESHOLD, bytes); }
