import { RenderMode, type ServerRoute } from '@angular/ssr';

/** Who renders what, and when. The CommonEngine build ignores this file. */
export const serverRoutes: ServerRoute[] = [
  { path: '', renderMode: RenderMode.Prerender },
  { path: 'about', renderMode: RenderMode.Prerender },
  { path: 'catalog', renderMode: RenderMode.Prerender },
  {
    path: 'guide',
    renderMode: RenderMode.Prerender,
    headers: { 'Cache-Control': 'public, max-age=300', 'X-Content-Source': 'guide' },
  },
  { path: 'large', renderMode: RenderMode.Prerender },
  {
    path: 'trade/:customer',
    renderMode: RenderMode.Server,
    headers: { 'Cache-Control': 'private' },
  },
  { path: 'client', renderMode: RenderMode.Client },
  { path: 'gone', renderMode: RenderMode.Server, status: 410 },
  { path: '**', renderMode: RenderMode.Server },
];
