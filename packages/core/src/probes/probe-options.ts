import { assertKnownOptions, check, isOptionObject } from '../check-option.ts';

/**
 * Where an orchestrator or a load balancer asks how the process is, by GET or HEAD. They ask by
 * address, so probes are answered before the host is looked at, and before any middleware of yours.
 *
 * There are none by default: whoever reaches the server can ask them, and a path that nobody has
 * chosen could hide a route of the application's.
 */
export interface ProbeOptions {
  /** 200 while the event loop runs, also while requests are drained: `'/livez'`. */
  readonly live?: string | undefined;
  /**
   * 200 while this process should get requests: `'/readyz'`. 503 until the first render thread and
   * the pages that `prewarm` renders with `blocksReady` are there, and from the moment it drains.
   */
  readonly ready?: string | undefined;
}

/** A path as it stands in a request target, without a query. */
const PATH = /^\/[!-"$->@-~]*$/;

/** @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN` */
export function resolveProbes(options: ProbeOptions | undefined): ProbeOptions | undefined {
  if (options === undefined) return undefined;
  check('probes', options, isOptionObject(options), 'an object of paths');
  assertKnownOptions(options, ['live', 'ready']);
  const { live, ready } = options;
  for (const [name, path] of Object.entries({ live, ready })) {
    const isPath = path === undefined || (typeof path === 'string' && PATH.test(path));
    check(`probes.${name}`, path, isPath, 'a path from "/", without a query');
  }
  const isOther = ready === undefined || ready !== live;
  check('probes.ready', ready, isOther, 'another path than that of probes.live');
  return live === undefined && ready === undefined ? undefined : { live, ready };
}
