type Collect = (options: { readonly type: 'major'; readonly execution: 'async' }) => unknown;

/**
 * Has V8 look for garbage in this thread soon. At rest it does not, however much memory a moved build has left behind.
 */
export function collectGarbage(): void {
  const own = (globalThis as { readonly gc?: Collect }).gc;
  void (own ?? exposed())({ type: 'major', execution: 'async' });
}

/** Node compiles modules again while a flag is another one than at start, so it is set for this moment only. */
function exposed(): Collect {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  setFlagsFromString('--expose-gc');
  const collect = process.getBuiltinModule('node:vm').runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
