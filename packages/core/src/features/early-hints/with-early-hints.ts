import type { Feature } from '../../path/feature.ts';
import { own } from '../../path/own.ts';
import type { OwnExtension } from '../../path/own-feature.ts';
import { wrapRenderer } from '../../render/wrap-renderer.ts';
import { EarlyHints } from './early-hints.ts';

/**
 * Sends a browser that waits for a render the styles, fonts and scripts of the page in advance, as 103 (Early Hints,
 * RFC 8297). They are learned from the page's last render and from the built document. Needs HTTP/2, here or in a proxy
 * that forwards interim responses.
 */
export function withEarlyHints(): Feature {
  return own({
    name: 'early-hints',
    isForNode: true,
    install: ({ index, rules, locales, main }): OwnExtension => {
      if (main !== undefined) return {};
      const hints = new EarlyHints(index, rules, locales?.ofHosts && locales);
      return {
        // Here each page is whole, not encoded, and of any thread.
        wrap: (renderer) =>
          wrapRenderer(renderer, async (job, signal) => {
            const rendered = await renderer.render(job, signal);
            if (rendered !== undefined) hints.learn(job.request.url, rendered);
            return rendered;
          }),
        onMiss: (request) => hints.send(request),
      };
    },
  });
}
