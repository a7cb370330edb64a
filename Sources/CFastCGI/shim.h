// The binding to libfcgi and to the Linux calls of the FastCGI module that Swift's Glibc module lacks: epoll and eventfd
// have no module; accept4, prctl and CMSG_* are variadic, macros or require _GNU_SOURCE.
#ifndef LECTERN_CFASTCGI_SHIM_H
#define LECTERN_CFASTCGI_SHIM_H

#include <errno.h>
#include <fcgiapp.h>
#include <fastcgi.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

// glibc declares these only under _GNU_SOURCE, which a Swift import cannot set for a header included earlier.
extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern char **environ;

/// Returns the environment of this process: a NULL-terminated array of `name=value`.
static inline char **fastcgi_environment(void) { return environ; }

/// Accepts a connection that no child process inherits. Returns -1 and sets errno when there is none.
static inline int fastcgi_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC); }

/// EPOLLEXCLUSIVE and EPOLLONESHOT are in an enum whose top bits Swift imports as signed.
static inline unsigned int fastcgi_wake_one(void) { return (unsigned int)EPOLLIN | (1u << 28); }
static inline unsigned int fastcgi_wake_once(void) { return (unsigned int)EPOLLIN | (unsigned int)EPOLLRDHUP | (1u << 30); }

/// Asks the kernel to send a signal to this process when the thread that started it ends.
static inline int fastcgi_die_with_parent(int signal) { return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0); }

/// Binds a unix socket to a path. Fails with ENAMETOOLONG if the path does not fit into sun_path (107 bytes).
static inline int fastcgi_bind(int fd, const char *path) {
    struct sockaddr_un address;
    memset(&address, 0, sizeof address);
    address.sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address.sun_path) { errno = ENAMETOOLONG; return -1; }
    strcpy(address.sun_path, path);
    return bind(fd, (const struct sockaddr *)&address, sizeof address);
}

/// Connects to the unix socket at a path.
static inline int fastcgi_connect(int fd, const char *path) {
    struct sockaddr_un address;
    memset(&address, 0, sizeof address);
    address.sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address.sun_path) { errno = ENAMETOOLONG; return -1; }
    strcpy(address.sun_path, path);
    return connect(fd, (const struct sockaddr *)&address, sizeof address);
}

/// Sends an open descriptor through a unix socket. Returns 0, or -1 and sets errno.
static inline int fastcgi_send_descriptor(int through, int descriptor) {
    char byte = 'c';
    struct iovec part = { .iov_base = &byte, .iov_len = 1 };
    union { char bytes[CMSG_SPACE(sizeof(int))]; struct cmsghdr align; } control;
    memset(&control, 0, sizeof control);
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1,
                              .msg_control = control.bytes, .msg_controllen = sizeof control.bytes };
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
    return sendmsg(through, &message, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

/// Receives a descriptor sent by the function above, without waiting. Returns -1 and sets errno when there is none.
static inline int fastcgi_receive_descriptor(int from) {
    char byte;
    struct iovec part = { .iov_base = &byte, .iov_len = 1 };
    union { char bytes[CMSG_SPACE(sizeof(int))]; struct cmsghdr align; } control;
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1,
                              .msg_control = control.bytes, .msg_controllen = sizeof control.bytes };
    ssize_t count = recvmsg(from, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (count < 0) return -1;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header == NULL || header->cmsg_type != SCM_RIGHTS) { errno = ENOMSG; return -1; }
    int descriptor;
    memcpy(&descriptor, CMSG_DATA(header), sizeof(int));
    return descriptor;
}

#endif
