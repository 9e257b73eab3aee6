/* Simulates a power cut: remembers of each file only what was synced, and of each directory
 * only the names it had when it was synced. Loaded with LD_PRELOAD; watches everything below
 * POWERCUT_DISK and keeps the survivors in POWERCUT_SHADOW:
 *   <key>      the content of a file at its last fsync or fdatasync
 *   dir-<key>  the names in a directory at its last fsync, one "f|d <key> <name>" a line
 *   root       the same for POWERCUT_DISK itself
 * A key is inode and time of birth, because inodes are used again.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KEY_SIZE 96

static void fail(const char *what) {
    perror(what);
    _exit(99);
}

static void key_of(int directory, const char *name, char *key) {
    struct statx found;
    if (statx(directory, name, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW,
              STATX_INO | STATX_BTIME, &found) != 0)
        fail("powercut: statx");
    snprintf(key, KEY_SIZE, "%llu-%lld-%u", (unsigned long long)found.stx_ino,
             (long long)found.stx_btime.tv_sec, found.stx_btime.tv_nsec);
}

/* Survivors appear whole or not at all, since the process may be killed at any instant. */
static void keep(const char *from, const char *name) {
    char to[PATH_MAX];
    snprintf(to, sizeof to, "%s/%s", getenv("POWERCUT_SHADOW"), name);
    if (rename(from, to) != 0) fail("powercut: rename");
}

static void keep_file(int fd, const char *draft) {
    char buffer[65536], key[KEY_SIZE];
    off_t offset = 0;
    ssize_t count;
    int copy = open(draft, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (copy < 0) fail("powercut: open");
    while ((count = pread(fd, buffer, sizeof buffer, offset)) > 0) {
        if (write(copy, buffer, (size_t)count) != count) fail("powercut: write");
        offset += count;
    }
    if (count < 0) fail("powercut: pread");
    close(copy);
    key_of(fd, "", key);
    keep(draft, key);
}

static void keep_names(int fd, const char *path, const char *draft) {
    char key[KEY_SIZE], name[KEY_SIZE + 8];
    struct dirent *entry;
    FILE *list = fopen(draft, "w");
    DIR *names = opendir(path);
    if (!list || !names) fail("powercut: list");
    while ((entry = readdir(names))) {
        struct stat found;
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        if (fstatat(dirfd(names), entry->d_name, &found, AT_SYMLINK_NOFOLLOW) != 0)
            fail("powercut: stat");
        key_of(dirfd(names), entry->d_name, key);
        fprintf(list, "%c %s %s\n", S_ISDIR(found.st_mode) ? 'd' : 'f', key, entry->d_name);
    }
    closedir(names);
    fclose(list);
    key_of(fd, "", key);
    snprintf(name, sizeof name, "dir-%s", key);
    keep(draft, strcmp(path, getenv("POWERCUT_DISK")) ? name : "root");
}

static void after_sync(int fd) {
    char link[64], path[PATH_MAX], draft[PATH_MAX];
    struct stat found;
    const char *disk = getenv("POWERCUT_DISK"), *shadow = getenv("POWERCUT_SHADOW");
    if (!disk || !shadow) return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0 || fstat(fd, &found) != 0) fail("powercut: descriptor");
    path[length] = '\0';
    if (strncmp(path, disk, strlen(disk)) != 0) return;
    snprintf(draft, sizeof draft, "%s/draft-%d", shadow, (int)getpid());
    if (S_ISDIR(found.st_mode))
        keep_names(fd, path, draft);
    else
        keep_file(fd, draft);
}

static int sync_with(const char *function, int fd) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, function);
    int result = real(fd);
    if (result == 0) after_sync(fd);
    return result;
}

int fsync(int fd) { return sync_with("fsync", fd); }
int fdatasync(int fd) { return sync_with("fdatasync", fd); }
