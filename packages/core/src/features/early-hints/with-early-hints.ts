import type { Feature } from '../../path/feature.ts';
import { own } from '../../path/own.ts';
import type { OwnExtension } from '../../path/own-feature.ts';
import { wrapRenderer } from '../../render/wrap-renderer.ts';
import { EarlyHints } from './early-hints.ts';

/**
 * Sends the styles, fonts and scripts of a page in a 103 response while a browser waits for its render (Early Hints, RFC
 * 8297). They come from the last render of the page and from the built document. Needs HTTP/2, here or in a proxy that
 * forwards 103.
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
