import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { writeBuiltSite } from '../built-site.ts';

const core = import.meta.resolve('@ng-ssr/core/adapter');

/** What a server says that is started in a folder of a build. */
function start(build: Readonly<Record<string, string>>, program: string, browserFolder?: string) {
  const options = JSON.stringify({ files: { folder: browserFolder } });
  const browser = writeBuiltSite({
    ...build,
    [program]: `
      import { SsrHandler } from ${JSON.stringify(core)};
      try {
        const handler = new SsrHandler({ engine: () => null, ...${options} });
        console.log(handler.browserFolder ?? 'none');
      } catch ({ code, message }) {
        console.log(code, message);
      }`,
  });
  const folder = dirname(browser);
  const { stdout } = spawnSync(process.execPath, [join(folder, program)], {
    cwd: folder,
    encoding: 'utf8',
  });
  return stdout.trim().replaceAll(folder, '');
}

const built = { 'browser/main.js': '', 'server/index.server.html': '' };
const localized = {
  'browser/sv/main.js': '',
  'browser/en/main.js': '',
  'server/sv/index.server.html': '',
  'server/en/index.server.html': '',
};

test('a server finds the browser folder of its build, and of its locale', () => {
  expect(start(built, 'server/server.mjs')).toBe('/browser');
  expect(start(localized, 'server/sv/server.mjs')).toBe('/browser/sv');
  expect(start(localized, 'server/en/server.mjs')).toBe('/browser/en');
});

test.each([
  ['index.server.html', 'server/server.mjs', '/browser'],
  ['angular-app-engine-manifest.mjs', 'server/server.mjs', '/browser'],
  ['index.server.html', 'server/sv/server.mjs', '/browser/sv'],
])('a built server without it does not start: %s, %s', (mark, program, missing) => {
  const said = start({ [join(program, '..', mark)]: '' }, program);
  expect(said).toMatch(/^NG_SSR_BROWSER_FOLDER_MISSING /);
  expect(said).toContain(missing);
});

test('nor does one with an option that leads nowhere', () => {
  expect(start(built, 'server/server.mjs', '/nowhere/browser')).toMatch(
    /^NG_SSR_BROWSER_FOLDER_MISSING .*\/nowhere\/browser/,
  );
});

test('nor does one whose option is the folder above: it would serve the server bundle', () => {
  const said = start({ ...built, 'server/main.mjs': '' }, 'server/server.mjs', '.');
  expect(said).toBe(
    'NG_SSR_BROWSER_FOLDER_MISSING files.folder is ".", which has the server bundle. Did you mean "browser"?',
  );
});

test.each([
  ['the folder of the server', 'app/server'],
  ['the folder above the output path', '.'],
])('nor does one whose option is %s', (_which, folder) => {
  const below = { 'app/browser/main.js': '', 'app/server/index.server.html': '' };
  expect(start(below, 'app/server/server.mjs', folder)).toMatch(
    /^NG_SSR_BROWSER_FOLDER_MISSING files\.folder is ".*", .* Did you mean "app\/browser"\?$/,
  );
});

test('a program that is no build, as under `ng serve`, has none', () => {
  expect(start({}, 'src/server.mjs')).toBe('none');
  expect(start({}, 'src/server.mjs', '/nowhere/browser')).toBe('none');
});
