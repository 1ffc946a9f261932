import type { RenderEngine } from '@ng-ssr/core';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';

/** Options of a server of one page, `/held`, and one large file; everything else is rendered. */
export function createSite(engine: RenderEngine = echo) {
  return {
    engine,
    allowedHosts: ['127.0.0.1', 'localhost'],
    files: {
      maxFileBytes: 1000,
      folder: writeBuiltSite({
        'browser/index.html': prerendered('home'),
        'browser/held/index.html': prerendered('held'),
        'browser/large.txt': 'x'.repeat(5000),
      }),
    },
  };
}

/** Renders the URL; `/nobody` is not the application's. */
function echo({ url }: Request): Response | null {
  if (url.endsWith('/nobody')) return null;
  return new Response(`rendered ${url}`, { headers: { 'content-type': 'text/html' } });
}
