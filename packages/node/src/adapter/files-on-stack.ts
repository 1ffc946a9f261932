/** The files of the functions on the call stack, the innermost first; undefined for V8's own functions. */
export type Files = readonly (string | undefined)[];
export type AnyFunction = (...parameters: never[]) => unknown;

export function isOfNode(file: string | undefined): boolean {
  return file === undefined || file.startsWith('node:');
}

/** @param caller - Left out, with what it has called. */
export function filesOnStack(caller: AnyFunction): Files {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const holder: { stack?: unknown } = {};
  try {
    Error.stackTraceLimit = Number.POSITIVE_INFINITY;
    Error.prepareStackTrace = (_error, sites) =>
      sites.map((site) => (site.isEval() ? '<eval>' : (site.getFileName() ?? undefined)));
    Error.captureStackTrace(holder, caller);
    return holder.stack as Files;
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
}
