import { assertKnownOptions, check, checkMs, isOptionObject } from '../check-option.ts';

/**
 * Paths at which an orchestrator or a load balancer checks the process, by GET or HEAD. Their requests name
 * the server by its address, so probes are answered before the host is checked, and before your middleware.
 *
 * There are none by default: every client can request them, and a default path could hide a route of the
 * application.
 */
export interface ProbeOptions {
  /** 200 while the event loop runs, also while requests are drained: `'/livez'`. Default: none. */
  readonly live?: string | undefined;
  /**
   * 200 while this process should get requests: `'/readyz'`. 503 until the first render thread is ready and
   * the pages that `prewarm` renders with `blocksReady` are rendered, once the server drains, and while your
   * check fails. Default: none.
   */
  readonly ready?: string | ReadyProbeOptions | undefined;
}

/** A `ready` probe with your own check. */
export interface ReadyProbeOptions {
  /** Where it is asked: `'/readyz'`. */
  readonly path: string;
  /**
   * Checks what pages need, such as a database. Called when the probe is requested, one call at a time. If it
   * throws, rejects, or returns `false`, the probe answers 503 without the reason, which `onError` gets as
   * `NG_SSR_NOT_READY`. Default: none.
   */
  readonly check?: (() => unknown) | undefined;
  /** How long the check may take, in milliseconds. Default: 1000. */
  readonly timeoutMs?: number | undefined;
  /**
   * How long the check's result is reused, in milliseconds: the check is called at most this often, however
   * often the probe is requested. Default: 1000.
   */
  readonly intervalMs?: number | undefined;
}

/** {@link ProbeOptions} with every default filled in. */
export interface ResolvedProbes {
  readonly live: string | undefined;
  readonly ready: ResolvedReadyProbe | undefined;
}

/** {@link ReadyProbeOptions} with every default filled in. */
export interface ResolvedReadyProbe {
  readonly path: string;
  readonly check: (() => unknown) | undefined;
  readonly timeoutMs: number;
  readonly intervalMs: number;
}

/** A path as it stands in a request target, without a query. */
const PATH = /^\/[!-"$->@-~]*$/;

/** @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN` */
export function resolveProbes(options: ProbeOptions | undefined): ResolvedProbes | undefined {
  if (options === undefined) return undefined;
  check('probes', options, isOptionObject(options), 'an object of paths');
  assertKnownOptions(options, ['live', 'ready'], 'probes');
  const { live } = options;
  if (live !== undefined) checkPath('probes.live', live);
  const ready = options.ready === undefined ? undefined : resolveReady(options.ready);
  const isOther = ready === undefined || ready.path !== live;
  check('probes.ready', ready?.path, isOther, 'a path other than that of probes.live');
  return live === undefined && ready === undefined ? undefined : { live, ready };
}

function resolveReady(options: string | ReadyProbeOptions): ResolvedReadyProbe {
  const isObject = isOptionObject(options);
  checkPath(isObject ? 'probes.ready.path' : 'probes.ready', isObject ? options.path : options);
  const given: ReadyProbeOptions = isObject ? options : { path: options };
  assertKnownOptions(given, ['path', 'check', 'timeoutMs', 'intervalMs'], 'probes.ready');
  const { path, check: ask, timeoutMs = 1000, intervalMs = 1000 } = given;
  const isFunction = ask === undefined || typeof ask === 'function';
  check('probes.ready.check', ask, isFunction, 'a function');
  checkMs('probes.ready.timeoutMs', timeoutMs, 1);
  checkMs('probes.ready.intervalMs', intervalMs, 0);
  return { path, check: ask, timeoutMs, intervalMs };
}

function checkPath(name: string, path: unknown): void {
  const isPath = typeof path === 'string' && PATH.test(path);
  check(name, path, isPath, 'a path from "/", without a query');
}
