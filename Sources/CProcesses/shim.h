// The Linux calls of the Processes module that Swift's Glibc module lacks: signalfd has no module, prctl is variadic,
// and some file actions of posix_spawn require _GNU_SOURCE, which a Swift import cannot set for a header included
// earlier.
#ifndef LECTERN_CPROCESSES_SHIM_H
#define LECTERN_CPROCESSES_SHIM_H

#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>

extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);

/// POSIX_SPAWN_SETSID of glibc's spawn.h: the child leads a new session.
enum { processes_new_session = 0x80 };

/// Makes the child close every descriptor from `first` up.
static inline int processes_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

/// Makes the child change into a folder.
static inline int processes_change_folder(posix_spawn_file_actions_t *actions, const char *path) {
    return posix_spawn_file_actions_addchdir_np(actions, path);
}

/// Denies access to the memory of this process to all but root, and keeps it from being dumped. Ends with the next exec.
static inline int processes_hide_memory(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

#endif
