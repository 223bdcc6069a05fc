// Preloaded into a program, gives it a bad day: while $TABULA_TROUBLE/full exists, no file takes
// another byte; while $TABULA_TROUBLE/clock exists, the time of day is off by the seconds that it
// names; while $TABULA_TROUBLE/network exists, every disk is one of NFS.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static char full[512], clock_file[512], network[512];

__attribute__((constructor)) static void begin(void) {
  const char* folder = getenv("TABULA_TROUBLE");
  if (!folder) return;
  snprintf(full, sizeof full, "%s/full", folder);
  snprintf(clock_file, sizeof clock_file, "%s/clock", folder);
  snprintf(network, sizeof network, "%s/network", folder);
}

// Logs are spared, so that the test may read what the program says.
static int no_room(int file) {
  struct stat status;
  if (file <= STDERR_FILENO || !full[0] || access(full, F_OK) != 0) return 0;
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  errno = ENOSPC;
  return 1;
}

ssize_t write(int file, const void* data, size_t size) {
  return no_room(file) ? -1 : REAL(write)(file, data, size);
}
ssize_t writev(int file, const struct iovec* parts, int count) {
  return no_room(file) ? -1 : REAL(writev)(file, parts, count);
}
ssize_t pwrite(int file, const void* data, size_t size, off_t offset) {
  return no_room(file) ? -1 : REAL(pwrite)(file, data, size, offset);
}
ssize_t pwrite64(int file, const void* data, size_t size, off_t offset) {
  return no_room(file) ? -1 : REAL(pwrite64)(file, data, size, offset);
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  const int done = REAL(clock_gettime)(clock, now);
  if (done != 0 || clock != CLOCK_REALTIME || !clock_file[0]) return done;
  const int file = open(clock_file, O_RDONLY | O_CLOEXEC);
  if (file < 0) return done;
  char text[32] = "";
  if (read(file, text, sizeof text - 1) > 0) now->tv_sec += atol(text);
  close(file);
  return done;
}

int statfs(const char* path, struct statfs* disk) {
  const int done = REAL(statfs)(path, disk);
  if (done == 0 && network[0] && access(network, F_OK) == 0) disk->f_type = 0x6969;
  return done;
}
