// What libstdc++ of Debian's GCC 12, compiled for glibc, asks of glibc and does not find in musl; and, of a
// newer GCC's libstdc++, the one function that Bun asks for.
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

char __libc_single_threaded = 0;

// Not found: the unwinder then searches by dl_iterate_phdr.
int _dl_find_object(void *address, void *result) {
  (void)address, (void)result;
  return -1;
}

unsigned arc4random(void) {
  unsigned value;
  if (getentropy(&value, sizeof value) != 0) abort();
  return value;
}

unsigned long __getauxval(unsigned long type) { return getauxval(type); }

// std::__glibcxx_assert_fail(const char*, int, const char*, const char*)
void _ZSt21__glibcxx_assert_failPKciS0_S0_(const char *file, int line, const char *function,
                                           const char *condition) {
  (void)file, (void)line, (void)function, (void)condition;
  abort();
}
