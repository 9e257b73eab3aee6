/* Lets the clock on the wall jump while a process runs. Loaded with LD_PRELOAD. The file CLOCKJUMP
 * holds one 64-bit number, the seconds to add to the real time, that another process may change at
 * any moment. The clock that only measures how time passes stays as it is, as in a real machine.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int64_t jump(void) {
    static volatile int64_t *shared;
    const char *path = getenv("CLOCKJUMP");
    if (!shared && path) {
        int fd = open(path, O_RDONLY);
        void *found = mmap(NULL, sizeof *shared, PROT_READ, MAP_SHARED, fd, 0);
        if (fd < 0 || found == MAP_FAILED) { perror("clockjump"); _exit(99); }
        close(fd);
        shared = found;
    }
    return shared ? *shared : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = REAL(clock_gettime)(clock, now);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += jump();
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    int result = REAL(gettimeofday)(now, zone);
    if (result == 0) now->tv_sec += jump();
    return result;
}

time_t time(time_t *place) {
    time_t now = REAL(time)(NULL) + jump();
    if (place) *place = now;
    return now;
}
