/**
 * Loaded before a server's modules: puts probes into those of the packages while Node loads them, and
 * the recorder where the probes find it.
 */
import { registerHooks } from 'node:module';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { instrument, RECORDER } from './instrument.ts';
import { Recorder } from './recorder.ts';

const packages = join(import.meta.dirname, '../../packages');
const BUILT = /^([\w-]+)\/dist\/(.*)\.js$/;

export const recorder = new Recorder();
(globalThis as Record<string, unknown>)[RECORDER] = recorder;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const file = url.startsWith('file:') ? toName(fileURLToPath(url)) : undefined;
    if (file === undefined || loaded.format !== 'module') return loaded;
    const toPlace = (name: string): number => recorder.places.push({ file, name }) - 1;
    return { ...loaded, source: instrument(String(loaded.source), toPlace) };
  },
});

/** `core/render/scheduler`, or undefined for what is no built file of a package. */
function toName(path: string): string | undefined {
  const [, name, file] = BUILT.exec(relative(packages, path).replaceAll(sep, '/')) ?? [];
  return name === undefined || file === undefined ? undefined : `${name}/${file}`;
}
