import { describe, withCode } from './errors.ts';
import type { TagWriter } from './tag-writer.ts';

/** The addon's exports. */
interface Addon {
  entityTag(body: Uint8Array | string, weak: boolean, oneByte?: boolean): string;
}

/** The members of `process` that are used; a runtime may have none of them. */
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

// In a variable, and loaded through createRequire, so that bundlers do not follow it: a bundle holds
// no .node file, and the addon is found at run time by its package name.
const ADDON = '@ng-ssr/etag/addon';
const SCOPE = '@ng-ssr/';

/** The tag of zero bytes: an addon that returns another value computes another form of tag. */
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
  // For strings that V8 holds in one byte per character, this call copies twice as fast.
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
      const require = createRequire(base()!);
      return { write: toWriter(requireAddon(require, createRequire) as Addon, runtime) };
    } catch (error) {
      cause ??= error;
      const reason = error instanceof Error ? error.message : String(error);
      reasons.push(`from ${name}: ${reason.split('\n', 1)[0]}`);
    }
  }
  return { error: new Error(reasons.join('; '), { cause }) };
}

type CreateRequire = typeof import('node:module').createRequire;

/**
 * Under strict package managers such as pnpm a package can only resolve its own dependencies: the
 * application depends on the adapter, the adapter on this package. So the search goes from the
 * application's package.json through packages of this scope.
 *
 * @throws Error as `require` does, for the addon itself.
 */
function requireAddon(require: NodeJS.Require, createRequire: CreateRequire): unknown {
  try {
    return require(ADDON);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const seen = new Set<string>();
    const waiting = applicationPackages(require).map((path) => [path, require] as const);
    for (let next; (next = waiting.shift()) !== undefined;) {
      const [path, from] = next;
      for (const name of dependenciesIn(from, path)) {
        const found = tryResolve(createRequire(path), `${name}/package.json`);
        if (found === undefined || seen.has(found)) continue;
        seen.add(found);
        const inPackage = createRequire(found);
        if (tryResolve(inPackage, ADDON) !== undefined) return inPackage(ADDON);
        waiting.push([found, inPackage]);
      }
    }
    throw error;
  }
}

/** The package.json files of a module's folder and of the folders above it. */
function applicationPackages(require: NodeJS.Require): string[] {
  // The folders that Node searches: `/app/dist/server/node_modules`, `/app/dist/node_modules`, ...
  const folders = require.resolve.paths(ADDON) ?? [];
  return folders
    .filter((folder) => folder.endsWith('node_modules'))
    .map((folder) => folder.slice(0, -'node_modules'.length))
    .map((folder) => tryResolve(require, `${folder}package.json`))
    .filter((path) => path !== undefined);
}

function dependenciesIn(require: NodeJS.Require, path: string): string[] {
  const manifest = require(path) as { readonly dependencies?: Readonly<Record<string, string>> };
  return Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith(SCOPE));
}

function tryResolve(require: NodeJS.Require, id: string): string | undefined {
  try {
    return require.resolve(id);
  } catch {
    return undefined;
  }
}

/** Whether the addon is absent, rather than broken. */
function isNotFound(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'MODULE_NOT_FOUND';
}

/** Searches for the addon beside this module and then from the working directory. */
export function loadAddon(): LoadedAddon {
  const runtime = (globalThis as { process?: Runtime }).process;
  const choice = readChoice(runtime);
  if (choice === 'js') return {};
  const { write, error } = findAddon(runtime);
  if (write !== undefined) return { write };
  const unavailable = withCode(
    new Error(`The native ETag (${ADDON}) is not in use: ${error?.message}.`, {
      cause: error?.cause,
    }),
    'ERR_ETAG_ADDON_UNAVAILABLE',
  );
  if (choice === 'native') throw unavailable;
  return { error: unavailable };
}
