// Preloaded into a process: counts the allocations that the addon itself asks for, and lets them
// fail from the n-th on. FAIL_FROM=n is the first that fails, FAIL_TO=m the last (no end without
// it); the file REPORT gets how many there were. Allocations of Node and V8 go through: what these
// do without memory is theirs.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char kAddon[] = "/etag.node";
static uintptr_t first_byte, end;
static long from, to, asked;

static int is_addon(const char *path) {
  const size_t length = path ? strlen(path) : 0;
  const size_t wanted = sizeof(kAddon) - 1;
  return length >= wanted && strcmp(path + length - wanted, kAddon) == 0;
}

static int note_range(struct dl_phdr_info *of, size_t size, void *data) {
  (void)size, (void)data;
  if (!is_addon(of->dlpi_name)) return 0;
  for (int i = 0; i < of->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &of->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    first_byte = of->dlpi_addr + part->p_vaddr;
    end = first_byte + part->p_memsz;
  }
  return 1;
}

void *dlopen(const char *path, int flags) {
  void *(*next)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
  void *handle = next(path, flags);
  if (handle != NULL && is_addon(path)) {
    const char *value = getenv("FAIL_FROM");
    from = value ? atol(value) : 0;
    value = getenv("FAIL_TO");
    to = value ? atol(value) : 0x7fffffff;
    dl_iterate_phdr(note_range, NULL);
  }
  return handle;
}

static int fails(void *caller) {
  if ((uintptr_t)caller < first_byte || (uintptr_t)caller >= end) return 0;
  asked++;
  return from > 0 && asked >= from && asked <= to;
}

__attribute__((destructor)) static void report(void) {
  const char *path = getenv("REPORT");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (file == NULL) return;
  fprintf(file, "%ld", asked);
  fclose(file);
}

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

void *malloc(size_t size) {
  return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}

// C++: new and new[], which throw std::bad_alloc, and their nothrow forms.
static void *or_throw(void *memory) {
  // Code compiled without exceptions has no handler: what is thrown through it ends the process.
  if (memory == NULL) abort();
  return memory;
}

void *_Znwm(size_t size) {
  return or_throw(fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size));
}

void *_Znam(size_t size) {
  return or_throw(fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size));
}

void *_ZnwmRKSt9nothrow_t(size_t size, void *tag) {
  (void)tag;
  return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *_ZnamRKSt9nothrow_t(size_t size, void *tag) {
  (void)tag;
  return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}
