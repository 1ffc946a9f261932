import { count, flag, milliseconds } from '../options/option-values.ts';
import { group, optional, type Table, withDefault } from '../options/option.ts';
import { type Fallback, FALLBACKS, fallbacks } from './fallbacks.ts';

/** The option `render.bots` with every default filled in. */
export interface ResolvedBots {
  readonly renderCold: boolean;
  readonly maxStale: number;
}

/** Options of renders that need nothing of Node. */
export interface NeutralRender {
  readonly maxWaitMs: number;
  readonly timeoutMs: number;
  readonly fallbacks: readonly Fallback[];
  readonly prefetch: boolean;
  readonly bots: ResolvedBots | undefined;
}

export const NEUTRAL_RENDER_TABLE: Table<NeutralRender> = {
  maxWaitMs: withDefault(milliseconds(1), 10_000),
  timeoutMs: withDefault(milliseconds(1), 30_000),
  fallbacks: withDefault(fallbacks, FALLBACKS),
  prefetch: flag(false),
  bots: optional(
    group(
      { renderCold: flag(true), maxStale: withDefault(count(0), 0) },
      'an object with renderCold and maxStale',
    ),
  ),
};
