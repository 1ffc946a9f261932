type Collect = (options: { readonly type: 'major'; readonly execution: 'async' }) => unknown;

/**
 * Has V8 free what the start of this thread has left: the files of the build before they were shared, and most of the
 * young generation. At rest V8 does not look for garbage, however much there is.
 */
export function collectGarbage(): void {
  const own = (globalThis as { readonly gc?: Collect }).gc;
  void (own ?? exposed())?.({ type: 'major', execution: 'async' });
}

/**
 * Node compiles modules again while a flag is another one than at start, so it is set for this moment only.
 *
 * @returns undefined if another thread has unset it just now.
 */
function exposed(): Collect | undefined {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  const { runInNewContext } = process.getBuiltinModule('node:vm');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('globalThis.gc') as Collect | undefined;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
