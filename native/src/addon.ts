import { describe, withCode } from './errors.ts';
import type { TagWriter } from './tag-writer.ts';

/** What the addon exports. */
interface Addon {
  entityTag(body: Uint8Array | string, weak: boolean, oneByte?: boolean): string;
}

/** The part of `process` that is used; a runtime may have none of it. */
interface Runtime {
  env?: Record<string, string | undefined>;
  cwd?(): string;
  getBuiltinModule?(id: 'node:module'): typeof import('node:module') | undefined;
  getBuiltinModule?(id: 'node:v8'): typeof import('node:v8') | undefined;
}

export interface LoadedAddon {
  write?: TagWriter;
  error?: Error;
}

// In a variable, and asked for through createRequire: a bundler must not follow it. A bundle holds
// no .node file, so the addon is found at run time by its package name.
const ADDON = '@ng-ssr/etag/addon';

/** The tag of no bytes: an addon that answers anything else writes another form of tag. */
const EMPTY_TAG = '"LQaABTjTlMI"';

function readChoice(runtime: Runtime | undefined): 'native' | 'js' | 'auto' {
  let value: string | undefined;
  try {
    value = runtime?.env?.['NG_SSR_ETAG'];
  } catch {
    // Deno without permission to read the environment.
  }
  if (value === undefined || value === '') return 'auto';
  if (value === 'js' || value === 'native') return value;
  throw withCode(
    new RangeError(
      `The environment variable NG_SSR_ETAG must be js, native or unset; received ${describe(value)}.`,
    ),
    'ERR_ETAG_ENVIRONMENT',
  );
}

function toWriter(addon: Addon, runtime: Runtime): TagWriter {
  if (typeof addon?.entityTag !== 'function' || addon.entityTag('', false) !== EMPTY_TAG) {
    throw new Error('it does not write the tags of this version; install or build it again');
  }
  const isOneByte = runtime.getBuiltinModule?.('node:v8')?.isStringOneByteRepresentation;
  if (isOneByte === undefined) return (body, weak) => addon.entityTag(body, weak);
  // V8 copies strings that it holds in one byte per character twice as fast, if told to.
  return (body, weak) =>
    typeof body === 'string'
      ? addon.entityTag(body, weak, isOneByte(body))
      : addon.entityTag(body, weak);
}

function findAddon(runtime: Runtime | undefined): LoadedAddon {
  const createRequire = runtime?.getBuiltinModule?.('node:module')?.createRequire;
  if (runtime === undefined || createRequire === undefined) {
    return { error: new Error('this runtime has no process.getBuiltinModule') };
  }
  const places: [name: string, base: () => string | undefined][] = [
    ['this module', () => import.meta.url],
    ['the working directory', () => runtime.cwd && `${runtime.cwd()}/`],
  ];
  const reasons: string[] = [];
  let cause: unknown;
  for (const [name, base] of places) {
    try {
      return { write: toWriter(createRequire(base()!)(ADDON) as Addon, runtime) };
    } catch (error) {
      cause ??= error;
      const reason = error instanceof Error ? error.message : String(error);
      reasons.push(`from ${name}: ${reason.split('\n', 1)[0]}`);
    }
  }
  return { error: new Error(reasons.join('; '), { cause }) };
}

/** Looks for the addon beside this module and then from the working directory. */
export function loadAddon(): LoadedAddon {
  const runtime = (globalThis as { process?: Runtime }).process;
  const choice = readChoice(runtime);
  if (choice === 'js') return {};
  const { write, error } = findAddon(runtime);
  if (write !== undefined) return { write };
  const unavailable = withCode(
    new Error(`The native entity tag (${ADDON}) is not in use: ${error?.message}.`, {
      cause: error?.cause,
    }),
    'ERR_ETAG_ADDON_UNAVAILABLE',
  );
  if (choice === 'native') throw unavailable;
  return { error: unavailable };
}
