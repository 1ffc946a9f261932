import type { Renderer } from '../render/renderer.ts';
import { wrapRenderer } from '../render/wrap-renderer.ts';
import type { Calls } from './calls.ts';
import { RenderCalls } from './render-calls.ts';

/** A renderer that makes the calls of its renders, which end with them. */
export function makeCalls(renderer: Renderer, calls: Calls): Renderer {
  return wrapRenderer(renderer, async (job, signal) => {
    const ofRender = new RenderCalls(calls, job, job.render ?? {});
    const end = (): void => void ofRender.end();
    signal.addEventListener('abort', end, { once: true });
    try {
      const rendered = await renderer.render({ ...job, calls: ofRender }, signal);
      return rendered && { ...rendered, calls: ofRender.end(rendered.body) };
    } finally {
      job.onCalls?.(ofRender.end());
      signal.removeEventListener('abort', end);
    }
  });
}
