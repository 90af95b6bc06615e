// Preloaded into a server. The file named by DISK_FAULT selects how its disk fails: "full" (writes
// fail), "sync" (fsync fails), or not at all.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static char fault_now(void) {
  const char *path = getenv("DISK_FAULT");
  char fault = 0;
  int file = path ? open(path, O_RDONLY) : -1;
  if (file < 0) return 0;
  if (read(file, &fault, 1) != 1) fault = 0;
  close(file);
  return fault;
}

// Only regular files fail; sockets and pipes work.
static int fails(int file, char fault, int error) {
  struct stat found;
  if (fstat(file, &found) != 0 || !S_ISREG(found.st_mode) || fault_now() != fault) return 0;
  errno = error;
  return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int file, const void *bytes, size_t count) {
  return fails(file, 'f', ENOSPC) ? -1 : REAL(write)(file, bytes, count);
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  return fails(file, 'f', ENOSPC) ? -1 : REAL(pwrite)(file, bytes, count, offset);
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  return fails(file, 'f', ENOSPC) ? -1 : REAL(pwrite64)(file, bytes, count, offset);
}
int fsync(int file) {
  return fails(file, 's', EIO) ? -1 : REAL(fsync)(file);
}
int fdatasync(int file) {
  return fails(file, 's', EIO) ? -1 : REAL(fdatasync)(file);
}
