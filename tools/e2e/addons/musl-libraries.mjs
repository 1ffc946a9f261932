import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { env } from '../../environment.mjs';
import { run } from '../child-process.mjs';

const COMPATIBILITY = join(import.meta.dirname, 'musl-libstdcxx.c');
/** The parts of libstdc++ and of the compiler's own library; the rest of what Bun lacks is weak. */
const OF_LIBSTDCXX = /^_Z|^__cxa_|^__dynamic_cast$|^__once_|_frame_info$/;

/**
 * A root folder for a program that is linked with musl: Debian's musl, and libstdc++, which Debian has for
 * glibc alone. It is linked here with musl, from the objects that the program needs.
 *
 * @param target - One of native/tools/targets.mjs, with musl.
 * @param program - The program that is to run.
 */
export async function createMuslRoot(target, program, root) {
  const machine = target.triple.split('-')[0];
  const libc = `/lib/${target.triple}-musl/libc.so`;
  const lib = join(root, 'lib');
  mkdirSync(lib, { recursive: true });
  copyFileSync(libc, join(lib, `ld-musl-${machine}.so.1`));

  const held = new Set(await definedIn(libc));
  const wanted = (await neededBy(program)).filter(
    (symbol) => !held.has(symbol) && OF_LIBSTDCXX.test(symbol),
  );
  const [cc, ...ccOptions] = target.cc.split(' ');
  const [cxx] = target.cxx.split(' ');
  const archives = ['libstdc++.a', 'libgcc_eh.a', 'libgcc.a'];
  const paths = await Promise.all(archives.map((name) => pathOf(cxx, name)));
  await execute(cc, [
    ...ccOptions,
    ...['-O1', '-fPIC', '-shared', '-D_GNU_SOURCE', '-Wl,-soname,libstdc++.so.6'],
    ...['-o', join(lib, 'libstdc++.so.6'), COMPATIBILITY],
    ...wanted.map((symbol) => `-Wl,-u,${symbol}`),
    ...['-Wl,--start-group', ...paths, '-Wl,--end-group'],
    `-L${dirname(libc)}`,
  ]);
}

/** The libraries that an ELF file names, and the versions of symbols that it wants of them. */
export async function requirementsOf(file) {
  const dynamic = await execute('readelf', ['--dynamic', '--wide', file]);
  const versions = await execute('readelf', ['--version-info', '--wide', file]);
  return {
    libraries: [...dynamic.matchAll(/\(NEEDED\).*\[(.*)\]/g)].map(([, name]) => name),
    glibc: [...new Set(versions.match(/\bGLIBC_[\d.]+/g))],
  };
}

async function definedIn(library) {
  const symbols = await symbolsOf(library);
  return symbols.filter(({ section }) => section !== 'UND').map(({ name }) => name);
}

/** What a program leaves undefined, and the variables that it copies from libraries when it starts. */
async function neededBy(program) {
  const symbols = await symbolsOf(program);
  const copied = await execute('readelf', ['--relocs', '--wide', program]);
  return [
    ...symbols.filter(({ section }) => section === 'UND').map(({ name }) => name),
    ...[...copied.matchAll(/_COPY\s+\S+\s+([^\s@]+)/g)].map(([, name]) => name),
  ];
}

/** Num: Value Size Type Bind Vis Ndx Name */
async function symbolsOf(file) {
  const table = await execute('readelf', ['--dyn-syms', '--wide', file]);
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([number, , , , , , , name]) => /^\d+:$/.test(number) && name !== undefined)
    .map(([, , , , , , section, name]) => ({ section, name: name.split('@')[0] }));
}

async function pathOf(compiler, library) {
  return (await execute(compiler, [`-print-file-name=${library}`])).trim();
}

async function execute(command, args) {
  const { output } = await run(command, args, { cwd: import.meta.dirname, env: env() });
  return output;
}
