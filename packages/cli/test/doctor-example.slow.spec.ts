import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ngSsr } from './ng-ssr.ts';

const EXAMPLE = join(import.meta.dirname, '../../../examples/material-app');
const isBuilt = existsSync(join(EXAMPLE, 'dist/app/server/server.mjs'));
const reason = isBuilt ? '' : ' (skipped: npm run build -w examples/material-app builds it)';

describe.skipIf(!isBuilt && process.env['CI'] !== 'true')(`the example${reason}`, () => {
  test.each(['app', 'common'])('%s has no errors as it is built', (build) => {
    // With localhost alone, as in its server.ts, hosts-missing warns.
    const { status, stdout } = doctor(EXAMPLE, [`dist/${build}`], {
      NG_ALLOWED_HOSTS: 'shop.example',
    });
    expect(stdout).toMatch(/\n0 errors, 0 warnings, \d notes\.\n$/);
    expect(status).toBe(0);
  });

  test('a page is rendered if asked for', () => {
    const { stdout } = doctor(EXAMPLE, ['dist/app', '--render', '/boom']);
    expect(stdout).toContain('/boom gets status 500.');
  });

  test('private parts of Angular that are missing are found in the built application', () => {
    const workspace = mkdtempSync(join(tmpdir(), 'ng-ssr-doctor-'));
    onTestFinished(() => rmSync(workspace, { recursive: true }));
    cpSync(join(EXAMPLE, 'dist/app'), join(workspace, 'dist'), { recursive: true });
    const bundles = join(workspace, 'dist/server');
    const changed = readdirSync(bundles).filter((name) => {
      if (!name.endsWith('.mjs')) return false;
      const text = readFileSync(join(bundles, name), 'utf8');
      const other = text.replace(/(async |this\.)getAngularServerAppForRequest\(/g, '$1another(');
      writeFileSync(join(bundles, name), other);
      return other !== text;
    });
    expect(changed).not.toEqual([]);
    const { status, stdout } = doctor(workspace, ['dist']);
    expect(stdout).toContain('error    angular-changed');
    expect(stdout).toContain('has no AngularAppEngine#getAngularServerAppForRequest');
    expect(status).toBe(1);
  });
});

function doctor(workspace: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  return ngSsr(['doctor', ...args], { NODE_ENV: 'production', ...env }, workspace);
}
