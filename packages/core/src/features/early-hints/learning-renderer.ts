import type { Renderer } from '../../render/renderer.ts';
import { wrapRenderer } from '../../render/wrap-renderer.ts';
import type { EarlyHints } from './early-hints.ts';

/** A renderer from whose pages hints are learned: here each page is whole, not encoded, and of any thread. */
export function learnHints(renderer: Renderer, hints: EarlyHints): Renderer {
  return wrapRenderer(renderer, async (job, signal) => {
    const rendered = await renderer.render(job, signal);
    if (rendered !== undefined) hints.learn(job.request.url, rendered);
    return rendered;
  });
}
