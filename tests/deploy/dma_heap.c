/* Memory for camera buffers where the kernel offers none: /dev/dma_heap and /dev/udmabuf become
 * plain shared memory. Only for tests in a virtual machine. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_FILES 4096
static char is_heap[MOST_FILES];

static int heap(void) {
    int fd = memfd_create("heap", MFD_CLOEXEC);
    if (fd >= 0 && fd < MOST_FILES) is_heap[fd] = 1;
    return fd;
}

static int is_asked_for(const char *path) {
    return strncmp(path, "/dev/dma_heap/", 14) == 0 || strcmp(path, "/dev/udmabuf") == 0;
}

#define OPEN(NAME)                                                                   \
    int NAME(const char *path, int flags, ...) {                                     \
        static int (*real)(const char *, int, ...);                                  \
        va_list rest;                                                                \
        int mode;                                                                    \
        if (!real) real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #NAME);  \
        if (is_asked_for(path)) return heap();                                       \
        va_start(rest, flags);                                                       \
        mode = va_arg(rest, int);                                                    \
        va_end(rest);                                                                \
        return real(path, flags, mode);                                              \
    }
OPEN(open)
OPEN(open64)

int ioctl(int fd, unsigned long request, ...) {
    static int (*real)(int, unsigned long, ...);
    va_list rest;
    void *argument;
    if (!real) real = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
    va_start(rest, request);
    argument = va_arg(rest, void *);
    va_end(rest);
    if (request == DMA_HEAP_IOCTL_ALLOC) {
        struct dma_heap_allocation_data *wish = argument;
        int made = memfd_create("buffer", MFD_CLOEXEC);
        if (made < 0 || ftruncate(made, (off_t)wish->len)) return -1;
        wish->fd = (unsigned)made;
        return 0;
    }
    if (request == UDMABUF_CREATE) return dup((int)((struct udmabuf_create *)argument)->memfd);
    if (_IOC_TYPE(request) == 'b') return 0; /* names and syncs of a buffer */
    return real(fd, request, argument);
}
