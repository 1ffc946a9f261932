import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './child-process.mjs';
import { SERVER } from './deployment.mjs';
import { checkServer } from './http-checks.mjs';
import { childEnv, copyWorkspace, declareServerRoutes, digestOf } from './workspace.mjs';

const ROUTE = `app.get('/api/time', (_req, res) => {
  res.json({ now: Date.now() });
});
`;

/** What a user does whose server on Express has routes: `ng add` refuses, and says what does it. */
export async function checkMiddleware({ starts, place, check }) {
  const workspace = join(place, 'own-server');
  const serverFile = join(workspace, 'src/server.ts');
  const ng = (args, mayFail = false) =>
    run('npx', ['ng', ...args], { cwd: workspace, env: childEnv, mayFail });
  await copyWorkspace(starts['with SSR'], workspace);
  const stock = readFileSync(serverFile, 'utf8');
  const own = stock.replace(/^(const angularApp .*\n)/m, `$1\n${ROUTE}`);
  assert.notEqual(own, stock);
  writeFileSync(serverFile, own);

  await check('a server with routes: ng add refuses, and says how to keep them', async () => {
    const before = digestOf(join(workspace, 'src'));
    const { code, output } = await ng(['add', '@ng-ssr/express', '--skip-confirmation'], true);
    assert.notEqual(code, 0);
    assert.match(output, /NG_SSR_SERVER_FILE_CHANGED/);
    assert.match(output, /app\.use\(ssr\);/);
    assert.match(output, /ng generate @ng-ssr\/express:middleware/);
    assert.match(output, /@ng-ssr\/express stays installed/);
    assert.equal(digestOf(join(workspace, 'src')), before);
  });
  await check('a server with routes: ng generate middleware, ng build, a page served', async () => {
    // As after a `git checkout` of what the refusal has left: installed, and not in package.json.
    const path = join(workspace, 'package.json');
    const manifest = JSON.parse(readFileSync(path, 'utf8'));
    delete manifest.dependencies['@ng-ssr/express'];
    writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);

    const dry = await ng(['generate', '@ng-ssr/express:middleware', '--dry-run']);
    assert.match(dry.output, /\+ app\.use\(ssr\);/);
    assert.equal(readFileSync(serverFile, 'utf8'), own);
    await ng(['generate', '@ng-ssr/express:middleware']);
    assert.ok(JSON.parse(readFileSync(path, 'utf8')).dependencies['@ng-ssr/express']);
    assert.ok(readFileSync(serverFile, 'utf8').includes(ROUTE));
    declareServerRoutes(workspace);
    await ng(['build']);
    await checkServer(workspace, SERVER, { hasAddon: true });
  });
}
