import { check, isOptionObject } from '../check-option.ts';
import { callable, milliseconds, targetPath } from '../options/option-values.ts';
import { group, type Option, optional, withDefault } from '../options/option.ts';

/**
 * Paths that an orchestrator or load balancer requests with GET or HEAD. They work for any host, and before your
 * middleware.
 *
 * There are none by default: a default path could hide a route of the application.
 */
export interface ProbeOptions {
  /** Liveness, such as `'/livez'`: 200 while the event loop runs, also during shutdown. Default: none. */
  readonly live?: string | undefined;
  /** Readiness, such as `'/readyz'`: 503 during start and shutdown, and while `check` fails. Default: none. */
  readonly ready?: string | ReadyProbeOptions | undefined;
}

/** A readiness probe with your own check. */
export interface ReadyProbeOptions {
  /** Such as `'/readyz'`. */
  readonly path: string;
  /**
   * Checks a dependency of pages. The probe is 503 if it throws, rejects or returns `false`; `onError` gets
   * `NG_SSR_NOT_READY`. Default: none.
   */
  readonly check?: (() => unknown) | undefined;
  /** Time for the check. Default: 1000. */
  readonly timeoutMs?: number | undefined;
  /** How long a result is reused. Default: 1000. */
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
  "an object of paths, as in { live: '/livez', ready: '/readyz' }",
);

/** The option `probes`. */
export const probes: Option<ResolvedProbes | undefined> = (name, given) => {
  const checked = probesGroup(name, given);
  const { live, ready: { path } = {} } = checked;
  const isOther = path === undefined || path !== live;
  check(`${name}.ready`, path, isOther, `a path other than that of ${name}.live`);
  return live === undefined && path === undefined ? undefined : checked;
};
