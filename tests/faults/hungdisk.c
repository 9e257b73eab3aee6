/* A disk that hangs: as long as the file HUNGDISK_FLAG is there, fsync and fdatasync do not return.
 * Loaded with LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static void hang(void) {
    const char *flag = getenv("HUNGDISK_FLAG");
    while (flag != NULL && access(flag, F_OK) == 0) usleep(20000);
}

int fsync(int fd) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    hang();
    return real(fd);
}

int fdatasync(int fd) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    hang();
    return real(fd);
}
