import { addVary } from '../../../http/header-list.ts';
import type { ResponseHead } from '../../../render/sendable-response.ts';
import { withCacheControl } from '../../../render/cache-headers.ts';
import type { Renderer } from '../../../render/renderer.ts';
import { wrapRenderer } from '../../../render/wrap-renderer.ts';
import type { Calls } from '../calls.ts';
import { RenderCalls } from './render-calls.ts';

/** Says of itself that no shared cache may store it. */
const PRIVATE = /(?:^|[\s,])(?:private|no-store)(?:[\s,]|$)/i;

/** A renderer that makes the calls of its renders, which end with them. */
export function makeCalls(renderer: Renderer, calls: Calls): Renderer {
  return wrapRenderer(renderer, async (job, signal) => {
    const ofRender = new RenderCalls(calls, job, job.render ?? {});
    const end = (): void => void ofRender.end();
    signal.addEventListener('abort', end, { once: true });
    try {
      const rendered = await renderer.render({ ...job, calls: ofRender }, signal);
      if (rendered === undefined) return undefined;
      const made = ofRender.end(rendered.body);
      const varied = job.isShared ? rendered.response : withVary(rendered.response, ofRender);
      // The page may say that it is public, and have been made of one client's data all the same.
      const isPersonal = made.provenance?.isPersonal === true;
      const isOpen = isPersonal && !PRIVATE.test(varied.headers.get('cache-control') ?? '');
      const response = isOpen ? withCacheControl(varied, 'private, no-cache') : varied;
      return { ...rendered, response, calls: made };
    } finally {
      job.onCalls?.(ofRender.end());
      signal.removeEventListener('abort', end);
    }
  });
}

/** A page varies by the headers of its request that its calls get. A shared one has them in its key. */
function withVary(response: ResponseHead, { forwarded }: RenderCalls): ResponseHead {
  if (forwarded.size === 0) return response;
  const headers = new Headers(response.headers);
  let vary = headers.get('vary') ?? undefined;
  for (const name of forwarded) vary = addVary(vary, name);
  headers.set('vary', vary!);
  return { status: response.status, headers };
}
