import { milliseconds } from '../options/option-values.ts';
import { group, withDefault } from '../options/option.ts';

/** How a server shuts down. The process exits after at most `graceMs` plus `timeoutMs`. */
export interface ShutdownOptions {
  /**
   * How long the server accepts connections while the `ready` probe is 503: at least the interval of its probes.
   * Default: 0.
   */
  readonly graceMs?: number | undefined;
  /** Time for open requests, after `graceMs`. Then their connections are closed. Default: 10,000. */
  readonly timeoutMs?: number | undefined;
}

/** {@link ShutdownOptions} with every default filled in. */
export type ShutdownTimes = { readonly [name in keyof ShutdownOptions]-?: number };

const shutdown = group<ShutdownTimes>(
  {
    graceMs: withDefault(milliseconds(0), 0),
    timeoutMs: withDefault(milliseconds(1), 10_000),
  },
  'false or an object of options',
);

/** The resolved option `shutdown`. */
export interface ResolvedShutdown extends ShutdownTimes {
  /** Whether SIGTERM and SIGINT shut the server down and end the process. */
  readonly onSignals: boolean;
}

/**
 * Checks the option `shutdown`.
 *
 * @param name - Of the option, for messages. Default: `shutdown`.
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`
 */
export function checkShutdown(options: ShutdownOptions | false | undefined, name?: string): void {
  resolveShutdown(options, name);
}

/** As {@link checkShutdown}, and fills in the defaults. */
export function resolveShutdown(
  given: ShutdownOptions | false | undefined = {},
  name = 'shutdown',
): ResolvedShutdown {
  return { ...shutdown(name, given === false ? {} : given), onSignals: given !== false };
}
