import { assertKnownOptions, check, checkCount, isOptionObject } from '../check-option.ts';

/** The option `render.bots`. */
interface BotOptions {
  readonly renderCold?: boolean | undefined;
  readonly staleSeconds?: number | undefined;
}

/** The option `render.bots` with every default filled in. */
export interface ResolvedBots {
  readonly renderCold: boolean;
  readonly staleSeconds: number;
}

/** @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN` */
export function resolveBots(bots: BotOptions | undefined): ResolvedBots | undefined {
  if (bots === undefined) return undefined;
  const allowed = 'an object with renderCold and staleSeconds';
  check('render.bots', bots, isOptionObject(bots), allowed);
  assertKnownOptions(bots, ['renderCold', 'staleSeconds'], 'render.bots');
  const { renderCold = true, staleSeconds = 0 } = bots;
  check('render.bots.renderCold', renderCold, typeof renderCold === 'boolean', 'true or false');
  checkCount('render.bots.staleSeconds', staleSeconds, 0);
  return { renderCold, staleSeconds };
}
