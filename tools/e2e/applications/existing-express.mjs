import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { followPage } from '../docs-pages/follow-page.mjs';
import { copyWorkspace } from '../workspace.mjs';

/** The start has a page with a parameter. */
const SERVER_ROUTES = `import { RenderMode, ServerRoute } from '@angular/ssr';

export const serverRoutes: ServerRoute[] = [
  { path: 'item/:id', renderMode: RenderMode.Server },
  { path: '**', renderMode: RenderMode.Prerender },
];
`;

/** An Express server under PM2, with Sentry and a proxy, as its page is written. */
export async function checkApplication({ starts, place, check }) {
  const workspace = join(place, 'existing-express');
  await copyWorkspace(await starts['with SSR'](), workspace);
  writeFileSync(join(workspace, 'src/app/app.routes.server.ts'), SERVER_ROUTES);
  await check('docs/existing-express.md: each step, and what it prints', () =>
    followPage('docs/existing-express.md', workspace),
  );
}
