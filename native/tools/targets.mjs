// The Linux machines that a prebuilt addon is made for on one Debian machine, with Debian's cross compilers. The C
// library of a target is glibc, unless its name ends with -musl.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const MACHINES = {
  x64: { triple: 'x86_64-linux', packages: 'g++' },
  arm64: { triple: 'aarch64-linux', packages: 'g++-aarch64-linux-gnu' },
};

/** GNU's compiler writes for musl where it is given this file of Debian's package musl-dev. */
const specsOf = (triple) => `/usr/lib/${triple}-musl/musl-gcc.specs`;

function describe(arch, libc) {
  const { triple, packages } = MACHINES[arch];
  const isMusl = libc === 'musl';
  const specs = isMusl ? specsOf(triple) : undefined;
  const specsOption = isMusl ? ` -specs ${specs}` : '';
  return {
    name: `linux-${arch}${isMusl ? '-musl' : ''}`,
    arch,
    libc,
    triple,
    file: `prebuilds/linux-${arch}/etag.${libc}.node`,
    cc: `${triple}-gnu-gcc${specsOption}`,
    cxx: `${triple}-gnu-g++${specsOption}`,
    strip: `${triple}-gnu-strip`,
    specs,
    packages: isMusl ? `${packages} musl-dev:${arch === 'x64' ? 'amd64' : arch}` : packages,
  };
}

/** By their names: linux-x64, linux-x64-musl, linux-arm64, linux-arm64-musl. */
export const targets = Object.fromEntries(
  Object.keys(MACHINES)
    .flatMap((arch) => [describe(arch, 'glibc'), describe(arch, 'musl')])
    .map((target) => [target.name, target]),
);

/**
 * @returns {string | undefined} what this machine lacks to build for a target, and the command that installs it
 */
export function missingFor({ name, triple, specs, packages }) {
  const missing = [`${triple}-gnu-g++`, `${triple}-gnu-strip`].filter((each) => !isOnPath(each));
  if (specs !== undefined && !existsSync(specs)) missing.push(specs);
  if (missing.length === 0) return undefined;
  const foreign = /:arm64/.test(packages)
    ? 'dpkg --add-architecture arm64 && apt-get update && '
    : '';
  return `${name} needs ${missing.join(' and ')}: ${foreign}apt-get install -y ${packages}`;
}

function isOnPath(program) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.some((folder) => existsSync(join(folder, program)));
}
