import { existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** File systems of Linux whose files are made as they are read, by the magic numbers of statfs(2). */
const KERNEL_TYPES: ReadonlySet<number> = new Set([
  // proc, sysfs, devpts, cgroup, cgroup2, debugfs, tracefs, securityfs
  ...[0x9fa0, 0x62656572, 0x1cd1, 0x27e0eb, 0x63677270, 0x64626720, 0x74726163, 0x73636673],
]);

/** Whether a folder, or the one in which it would be made, is the kernel's, as `/proc` is: its listing may not end. */
export function isKernelFolder(folder: string): boolean {
  let existing = resolve(folder);
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  try {
    return KERNEL_TYPES.has(statfsSync(existing).type);
  } catch {
    // Not every runtime and file system says it.
    return false;
  }
}
