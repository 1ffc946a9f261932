import { check, isOptionObject } from '../check-option.ts';
import { callable, milliseconds, targetPath } from '../options/option-values.ts';
import { group, type Option, optional, withDefault } from '../options/option.ts';

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
   * the pages that `withPrewarm()` renders with `blocksReady` are rendered, once the server drains, and while your
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

const readyGroup = group<ResolvedReadyProbe>({
  path: targetPath,
  check: optional(callable<() => unknown>('a function')),
  timeoutMs: withDefault(milliseconds(1), 1000),
  intervalMs: withDefault(milliseconds(0), 1000),
});

const ready: Option<ResolvedReadyProbe> = (name, given) =>
  readyGroup(name, isOptionObject(given) ? given : { path: targetPath(name, given) });

const probesGroup = group<ResolvedProbes>(
  { live: optional(targetPath), ready: optional(ready) },
  'an object of paths',
);

/** The option `probes`. */
export const probes: Option<ResolvedProbes | undefined> = (name, given) => {
  const checked = probesGroup(name, given);
  const { live, ready: { path } = {} } = checked;
  const isOther = path === undefined || path !== live;
  check(`${name}.ready`, path, isOther, `a path other than that of ${name}.live`);
  return live === undefined && path === undefined ? undefined : checked;
};
