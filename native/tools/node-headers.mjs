// What node-gyp has to know of the running Node: its C headers, so that a build needs no download,
// and its place on PATH, because binding.gyp asks it for the folders of packages.
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** @returns {string | undefined} what node-gyp takes as --nodedir; undefined to let it download */
export function nodeHeaders() {
  const root = dirname(dirname(process.execPath));
  const needed = [join(root, 'include', 'node', 'node_api.h')];
  if (process.platform === 'win32') needed.push(join(root, 'Release', 'node.lib'));
  return needed.every((path) => existsSync(path)) ? root : undefined;
}

/** @returns {NodeJS.ProcessEnv} the environment with the running Node first on PATH */
export function nodeFirst() {
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const path = [dirname(process.execPath), process.env[name] ?? ''].join(delimiter);
  return { ...process.env, [name]: path };
}
