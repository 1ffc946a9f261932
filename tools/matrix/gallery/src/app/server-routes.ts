import { RenderMode, type ServerRoute } from '@angular/ssr';

export const serverRoutes: ServerRoute[] = [
  { path: 'built', renderMode: RenderMode.Prerender },
  { path: 'browser', renderMode: RenderMode.Client },
  { path: '**', renderMode: RenderMode.Server },
];
