import type { OwnFeature } from '../../path/own-feature.ts';
import { EarlyHints } from './early-hints.ts';
import { learnHints } from './learning-renderer.ts';

/** Sends the styles and scripts of a page ahead of it, while it is rendered. */
export function withEarlyHints(): OwnFeature {
  return {
    name: 'early-hints',
    install: ({ index, rules, locales, main }) => {
      if (main !== undefined) return {};
      const hints = new EarlyHints(index, rules, locales?.ofHosts && locales);
      return {
        wrap: (renderer) => learnHints(renderer, hints),
        onMiss: (visit) => hints.send(visit),
      };
    },
  };
}
