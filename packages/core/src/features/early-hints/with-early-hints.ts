import type { Feature } from '../../path/feature.ts';
import { own } from '../../path/own.ts';
import type { OwnExtension, OwnFeature } from '../../path/own-feature.ts';
import { EarlyHints } from './early-hints.ts';
import { learnHints } from './learning-renderer.ts';

/**
 * Sends a browser that waits for a render the styles, fonts and scripts of the page in advance, as 103 (Early Hints,
 * RFC 8297). They are learned from the page's last render and from the built document. Needs HTTP/2, here or in a proxy
 * that forwards interim responses.
 */
export function withEarlyHints(): Feature {
  const feature: OwnFeature = {
    name: 'early-hints',
    isForNode: true,
    install: ({ index, rules, locales, main }): OwnExtension => {
      if (main !== undefined) return {};
      const hints = new EarlyHints(index, rules, locales?.ofHosts && locales);
      return {
        wrap: (renderer) => learnHints(renderer, hints),
        onMiss: (request) => hints.send(request),
      };
    },
  };
  return own(feature);
}
