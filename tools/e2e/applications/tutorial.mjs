import { join } from 'node:path';
import { followPage } from '../docs-pages/follow-page.mjs';
import { copyWorkspace } from '../workspace.mjs';

/** The tutorial, step by step, as its page is written; then the way back to Angular's own server. */
export async function checkApplication({ starts, place, check }) {
  const workspace = join(place, 'tutorial');
  await copyWorkspace(await starts['with SSR'](), workspace);
  const isDone = await check('docs/tutorial.md: each step, and what it prints', () =>
    followPage('docs/tutorial.md', workspace),
  );
  if (!isDone) return;
  await check("docs/leaving.md: Angular's own server serves the pages", () =>
    followPage('docs/leaving.md', workspace),
  );
}
