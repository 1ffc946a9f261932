import crypto from 'node:crypto';
import fs from 'node:fs';
import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import zlib from 'node:zlib';

type Target = Record<PropertyKey, unknown>;

/**
 * Runs a function and counts the calls it makes to what a hit must not do: regular expressions,
 * promises, URL and Request objects, and everything of node:fs, node:crypto and node:zlib.
 *
 * @param isCounted - Whether a call counts, by the file of its caller; all do by default.
 * @returns calls by name; empty when there were none.
 */
export function countWork(
  run: () => void,
  isCounted: (caller: string) => boolean = () => true,
): Record<string, number> {
  const calls: Record<string, number> = {};
  const restore: (() => void)[] = [];
  const watch = (owner: object, key: string, name: string): void => {
    const target = owner as Target;
    const original = target[key];
    if (typeof original !== 'function') return;
    const descriptor = Object.getOwnPropertyDescriptor(target, key)!;
    if (!descriptor.configurable) return;
    const count = (): void => {
      if (isCounted(callerFile())) calls[name] = (calls[name] ?? 0) + 1;
    };
    Object.defineProperty(target, key, {
      configurable: true,
      writable: true,
      enumerable: descriptor.enumerable ?? false,
      value: new Proxy(original, {
        apply: (callee, self, args: unknown[]) => (count(), Reflect.apply(callee, self, args)),
        construct: (callee, args, newTarget) => (
          count(),
          Reflect.construct(callee, args, newTarget) as object
        ),
      }),
    });
    restore.push(() => Object.defineProperty(target, key, descriptor));
  };
  watch(RegExp.prototype, 'exec', 'RegExp.exec');
  watch(RegExp.prototype, 'test', 'RegExp.test');
  watch(Promise.prototype, 'then', 'Promise.then');
  watch(globalThis, 'URL', 'URL');
  watch(globalThis, 'Request', 'Request');
  watch(globalThis, 'Response', 'Response');
  for (const [module, prefix] of [
    [fs, 'fs'],
    [fsPromises, 'fs/promises'],
    [crypto, 'crypto'],
    [zlib, 'zlib'],
  ] as const) {
    for (const key of Object.keys(module)) watch(module, key, `${prefix}.${key}`);
  }
  syncBuiltinESMExports();
  try {
    run();
  } finally {
    for (const undo of restore) undo();
    syncBuiltinESMExports();
  }
  return calls;
}

/** The file of the nearest caller outside this module, without a stack trace being formatted. */
function callerFile(): string {
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = (_error, sites) =>
    sites
      .map((site) => site.getFileName() ?? '')
      .find((file) => file !== '' && !file.endsWith('count-work.ts'));
  const file = new Error().stack as string | undefined;
  Error.prepareStackTrace = prepareStackTrace;
  return file ?? '';
}
