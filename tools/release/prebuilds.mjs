/** The compiled addons that a release of @ng-ssr/etag has. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of each platform in native/prebuilds, and a pattern of each file that it must have. */
const EXPECTED = {
  'darwin-arm64': [/\.node$/],
  'darwin-x64': [/\.node$/],
  'linux-arm64': [/\.glibc\.node$/, /\.musl\.node$/],
  'linux-x64': [/\.glibc\.node$/, /\.musl\.node$/],
  'win32-arm64': [/\.node$/],
  'win32-x64': [/\.node$/],
};

/** The addons that are missing, such as `linux-x64 (musl)`. */
export function missingPrebuilds(root) {
  return Object.entries(EXPECTED).flatMap(([platform, patterns]) => {
    const folder = join(root, 'native/prebuilds', platform);
    const files = existsSync(folder) ? readdirSync(folder) : [];
    return patterns
      .filter((pattern) => !files.some((file) => pattern.test(file)))
      .map((pattern) => [platform, ...(/glibc|musl/.exec(pattern.source) ?? [])])
      .map(([name, libc]) => (libc === undefined ? name : `${name} (${libc})`));
  });
}
