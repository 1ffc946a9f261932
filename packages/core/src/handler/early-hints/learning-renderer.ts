import type { Renderer } from '../../render/renderer.ts';
import type { EarlyHints } from './early-hints.ts';

/** A renderer from whose pages hints are learned: here each page is whole, not coded, and of any thread. */
export function learnHints(renderer: Renderer, hints: EarlyHints): Renderer {
  return {
    async render(job, signal) {
      const rendered = await renderer.render(job, signal);
      if (rendered !== undefined) hints.learn(job.request.url, rendered);
      return rendered;
    },
    admitConnections: () => renderer.admitConnections?.(),
    get minConcurrency() {
      return renderer.minConcurrency;
    },
    get firstConcurrency() {
      return renderer.firstConcurrency;
    },
    times: () => renderer.times(),
    ready: () => renderer.ready(),
    close: () => renderer.close(),
  };
}
