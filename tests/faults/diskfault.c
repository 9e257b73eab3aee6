/* Makes the disk below DISKFAULT_DISK full or read-only, from a chosen write on, while the process
 * runs. Loaded with LD_PRELOAD. The file DISKFAULT_CONTROL holds four 32-bit numbers that another
 * process may change at any time:
 *   error   what fails: 0 nothing, ENOSPC everything that takes space, EROFS everything that changes
 *   first   the number of the first write that fails
 *   count   how many writes there have been
 *   failed  how many of them failed
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

struct control { int error, first, count, failed; };
enum kind { TAKES_SPACE, CHANGES };

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static struct control *control(void) {
    static struct control *shared;
    const char *path = getenv("DISKFAULT_CONTROL");
    if (!shared && path) {
        int fd = REAL(open)(path, O_RDWR);
        void *found = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (fd < 0 || found == MAP_FAILED) { perror("diskfault"); _exit(99); }
        close(fd);
        shared = found;
    }
    return shared;
}

static int is_watched(const char *path) {
    const char *disk = getenv("DISKFAULT_DISK");
    size_t length = disk ? strlen(disk) : 0;
    return length && !strncmp(path, disk, length) && (!path[length] || path[length] == '/');
}

static int fails(const char *path, enum kind kind) {
    struct control *shared = control();
    if (!shared || !is_watched(path)) return 0;
    if (kind == CHANGES && shared->error != EROFS) return 0;
    int number = __atomic_add_fetch(&shared->count, 1, __ATOMIC_SEQ_CST);
    if (!shared->error || number < shared->first) return 0;
    __atomic_add_fetch(&shared->failed, 1, __ATOMIC_SEQ_CST);
    errno = shared->error;
    return 1;
}

static int fails_at(int directory, const char *name, enum kind kind) {
    char path[PATH_MAX], link[64], whole[2 * PATH_MAX];
    if (name[0] == '/') return fails(name, kind);
    if (directory == AT_FDCWD) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = '\0';
    snprintf(whole, sizeof whole, "%s%s%s", path, name[0] ? "/" : "", name);
    return fails(whole, kind);
}

static int fd_fails(int fd) { return fails_at(fd, "", TAKES_SPACE); }

static int open_fails(int directory, const char *name, int flags) {
    int is_new = (flags & O_CREAT) && faccessat(directory, name, F_OK, 0) != 0;
    int is_writing = (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC);
    if (is_new) return fails_at(directory, name, TAKES_SPACE);
    return is_writing && fails_at(directory, name, CHANGES);
}

#define MODE(flags) \
    mode_t mode = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { \
        va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); \
    }

int open(const char *path, int flags, ...) {
    MODE(flags) return open_fails(AT_FDCWD, path, flags) ? -1 : REAL(open)(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
    MODE(flags) return open_fails(AT_FDCWD, path, flags) ? -1 : REAL(open64)(path, flags, mode);
}
int openat(int at, const char *path, int flags, ...) {
    MODE(flags) return open_fails(at, path, flags) ? -1 : REAL(openat)(at, path, flags, mode);
}
int openat64(int at, const char *path, int flags, ...) {
    MODE(flags) return open_fails(at, path, flags) ? -1 : REAL(openat64)(at, path, flags, mode);
}
ssize_t write(int fd, const void *data, size_t size) {
    return fd_fails(fd) ? -1 : REAL(write)(fd, data, size);
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
    return fd_fails(fd) ? -1 : REAL(writev)(fd, parts, count);
}
ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
    return fd_fails(fd) ? -1 : REAL(pwrite)(fd, data, size, at);
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
    return fd_fails(fd) ? -1 : REAL(pwrite64)(fd, data, size, at);
}
int ftruncate(int fd, off_t size) { return fd_fails(fd) ? -1 : REAL(ftruncate)(fd, size); }
int ftruncate64(int fd, off64_t size) { return fd_fails(fd) ? -1 : REAL(ftruncate64)(fd, size); }
int posix_fallocate(int fd, off_t at, off_t size) {
    return fd_fails(fd) ? errno : REAL(posix_fallocate)(fd, at, size);
}
int posix_fallocate64(int fd, off64_t at, off64_t size) {
    return fd_fails(fd) ? errno : REAL(posix_fallocate64)(fd, at, size);
}
int mkdir(const char *path, mode_t mode) {
    return fails_at(AT_FDCWD, path, TAKES_SPACE) ? -1 : REAL(mkdir)(path, mode);
}
int link(const char *from, const char *to) {
    return fails_at(AT_FDCWD, to, TAKES_SPACE) ? -1 : REAL(link)(from, to);
}
int linkat(int from_at, const char *from, int to_at, const char *to, int flags) {
    return fails_at(to_at, to, TAKES_SPACE) ? -1 : REAL(linkat)(from_at, from, to_at, to, flags);
}
int rename(const char *from, const char *to) {
    return fails_at(AT_FDCWD, to, TAKES_SPACE) ? -1 : REAL(rename)(from, to);
}
int renameat(int from_at, const char *from, int to_at, const char *to) {
    return fails_at(to_at, to, TAKES_SPACE) ? -1 : REAL(renameat)(from_at, from, to_at, to);
}
int unlink(const char *path) {
    return fails_at(AT_FDCWD, path, CHANGES) ? -1 : REAL(unlink)(path);
}
int unlinkat(int at, const char *path, int flags) {
    return fails_at(at, path, CHANGES) ? -1 : REAL(unlinkat)(at, path, flags);
}
