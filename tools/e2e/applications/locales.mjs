import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  findChromium,
  NO_CHROMIUM,
  openBrowser,
} from '../../../examples/material-app/test/browser.ts';
import { freePort } from '../../free-port.ts';
import { run, serve } from '../child-process.mjs';
import { SERVER } from '../deployment.mjs';
import { get } from '../http-checks.mjs';
import { childEnv, copyWorkspace, programOf } from '../workspace.mjs';

const DE_SERVER = 'dist/shop/server/de/server.mjs';

/** By the folder of their build: what `lang` says, and what is translated, or written as people there do. */
const LOCALES = {
  en: { lang: 'en', welcome: 'Welcome', visit: 'Visit number 7', amount: '1,234.5' },
  de: { lang: 'de', welcome: 'Willkommen', visit: 'Besuch Nummer 7', amount: '1.234,5' },
  fr: { lang: 'fr-CA', welcome: 'Bienvenue', visit: 'Visite numéro 7', amount: '1 234,5' },
};

const COMPONENT = `import { DecimalPipe } from '@angular/common';
import { Component, inject, signal } from '@angular/core';
import { ActivatedRoute } from '@angular/router';
`;

const PAGES = {
  'app.html': '<router-outlet />\n',
  'welcome.ts': `${COMPONENT}
@Component({
  selector: 'app-welcome',
  imports: [DecimalPipe],
  template: \`
    <h1 i18n="@@welcome">Welcome</h1>
    <p id="amount">{{ 1234.5 | number }}</p>
    <button (click)="count.set(count() + 1)">{{ count() }}</button>
  \`,
})
export class Welcome {
  readonly count = signal(0);
}
`
    .replace('Component, inject, signal', 'Component, signal')
    .replace(/import { ActivatedRoute.*\n/, ''),
  'visit.ts': `${COMPONENT}
@Component({
  selector: 'app-visit',
  imports: [DecimalPipe],
  template: \`
    <h1 i18n="@@visit">Visit number {{ id }}</h1>
    <p id="amount">{{ 1234.5 | number }}</p>
    <button (click)="count.set(count() + 1)">{{ count() }}</button>
  \`,
})
export class Visit {
  readonly id = inject(ActivatedRoute).snapshot.paramMap.get('id');
  readonly count = signal(0);
}
`,
  'app.routes.ts': `import { Routes } from '@angular/router';
import { Welcome } from './welcome';

export const routes: Routes = [
  { path: '', component: Welcome },
  // A script of its own, which is loaded from the folder of the locale.
  { path: 'visit/:id', loadComponent: () => import('./visit').then((file) => file.Visit) },
];
`,
};

/**
 * An application in three languages, on CommonEngine and then on the app engine.
 *
 * @param isWhole - Whether CommonEngine serves all languages, too.
 */
export async function checkApplication({ starts, place, isWhole, check }) {
  const workspace = join(place, 'locales');
  const ng = (args) => run(programOf(workspace, 'ng'), args, { cwd: workspace, env: childEnv });
  await copyWorkspace(await starts['without SSR'](), workspace);
  await localize(workspace, ng);

  const isServed = await check(
    'locales, common engine: ng add, ng build, the server of one locale',
    async () => {
      const { output } = await ng([
        ...['add', '@ng-ssr/express', '--skip-confirmation'],
        ...['--engine', 'common'],
      ]);
      assert.match(output, /a server for each locale: en, de, fr-CA\./);
      hydrateTexts(workspace);
      await ng(['build']);
      await withServer(workspace, DE_SERVER, (port) => checkLocale(port, 'de'));
    },
  );
  if (isServed) {
    await check('locales, common engine: a browser folder that is missing is named', () =>
      checkMissingFolder(workspace),
    );
  }
  if (isServed && isWhole) {
    await check('locales, common engine: with allLocales one process serves all', async () => {
      const restore = serveAllLocales(workspace);
      await ng(['build']);
      await withServer(workspace, DE_SERVER, checkLocales);
      // `ng add` replaces no server.ts that its user has changed.
      restore();
    });
  }
  await check('locales, app engine: ng add, ng build, one server has all', async () => {
    await ng(['add', '@ng-ssr/express', '--skip-confirmation', '--engine', 'app']);
    await ng(['build']);
    const { scripts } = readJson(join(workspace, 'package.json'));
    assert.equal(scripts['serve:ssr:shop'], `node ${SERVER}`);
    await withServer(workspace, SERVER, async (port) => {
      await checkLocales(port);
      await checkRedirects(port);
    });
  });
}

/** What people do for it: `ng add @angular/localize`, i18n in angular.json, a file for each language. */
async function localize(workspace, ng) {
  const core = readJson(join(workspace, 'node_modules/@angular/core/package.json'));
  await ng(['add', `@angular/localize@${core.version}`, '--skip-confirmation']);
  const app = join(workspace, 'src/app');
  for (const [name, text] of Object.entries(PAGES)) writeFileSync(join(app, name), text);

  const path = join(workspace, 'angular.json');
  const angularJson = readJson(path);
  const { shop } = angularJson.projects;
  const translation = (name) => `src/locale/messages.${name}.xlf`;
  shop.i18n = {
    sourceLocale: 'en',
    locales: {
      de: translation('de'),
      'fr-CA': { translation: translation('fr-CA'), subPath: 'fr' },
    },
  };
  shop.architect.build.options.localize = true;
  writeFileSync(path, `${JSON.stringify(angularJson, null, 2)}\n`);
  mkdirSync(join(workspace, 'src/locale'));
  for (const { lang, welcome, visit } of Object.values(LOCALES).slice(1)) {
    writeFileSync(join(workspace, translation(lang)), translations(lang, welcome, visit));
  }
}

/** Without it Angular makes what has translated texts once more in the browser. */
function hydrateTexts(workspace) {
  const path = join(workspace, 'src/app/app.config.ts');
  const text = readFileSync(path, 'utf8');
  const own = text
    .replace('provideClientHydration(', 'provideClientHydration(withI18nSupport(), ')
    .replace('{ provideClientHydration', '{ provideClientHydration, withI18nSupport');
  assert.match(own, /withI18nSupport }|withI18nSupport, /);
  writeFileSync(path, own);
}

function translations(language, welcome, visit) {
  const id = '<x id="INTERPOLATION" equiv-text="{{ id }}"/>';
  const unit = (name, source, target) =>
    `<trans-unit id="${name}" datatype="html"><source>${source}</source><target>${target}</target></trans-unit>`;
  return `<?xml version="1.0" encoding="UTF-8" ?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
  <file source-language="en" target-language="${language}" datatype="plaintext" original="ng2.template">
    <body>
      ${unit('welcome', LOCALES.en.welcome, welcome)}
      ${unit('visit', LOCALES.en.visit.replace('7', id), visit.replace('7', id))}
    </body>
  </file>
</xliff>
`;
}

/** As `ng add` says it. Returns what undoes it. */
function serveAllLocales(workspace) {
  const path = join(workspace, 'src/server.ts');
  const text = readFileSync(path, 'utf8');
  const own = text.replace(
    'commonEngine({ bootstrap })',
    'commonEngine({ bootstrap, allLocales: true })',
  );
  assert.notEqual(own, text);
  writeFileSync(path, own);
  return () => writeFileSync(path, text);
}

async function withServer(workspace, file, action) {
  const port = await freePort();
  const env = { ...childEnv, PORT: String(port) };
  const ready = /listening on:?\s+http/i;
  const server = await serve(process.execPath, [file], { cwd: workspace, env, ready });
  try {
    await action(port);
  } finally {
    await server.stop();
  }
}

async function checkLocales(port) {
  // Each in its turn, and then again: a process has one `$localize`, and each bundle its own texts.
  const names = Object.keys(LOCALES);
  for (const name of [...names, ...names.toReversed()]) await checkLocale(port, name);
  await Promise.all(names.map((name) => checkLocale(port, name)));
  await checkInBrowser(port);
}

async function checkLocale(port, name) {
  const { lang, welcome, visit, amount } = LOCALES[name];
  const home = await get(port, `/${name}`);
  assert.equal(home.status, 200, home.body.slice(0, 500));
  assert.match(home.headers['cache-status'], /hit/);
  assert.match(home.body, /ng-server-context="ssg"/);
  const page = await get(port, `/${name}/visit/7`);
  assert.equal(page.status, 200, page.body.slice(0, 500));
  assert.doesNotMatch(page.headers['cache-status'] ?? '', /hit/);
  const texts = [
    [home, welcome],
    [page, visit],
  ];
  for (const [{ headers, body }, text] of texts) {
    assert.ok(body.includes(`<html lang="${lang}"`), body.slice(0, 200));
    assert.ok(body.includes(`<base href="/${name}/">`), body.slice(0, 500));
    assert.ok(body.includes(`>${text}</h1>`), `${name}: no ${text} in ${body}`);
    assert.equal(/id="amount"[^>]*>([^<]*)</.exec(body)[1].replace(/\s|&nbsp;/g, ' '), amount);
    assert.match(body, /<script id="ng-state" type="application\/json">/);
    assert.doesNotMatch(body, /ngskiphydration/);
    assert.equal(headers['content-language'], lang);
    await checkFiles(port, name, body);
  }
}

/** Whatever the page names is there, of the type that the browser wants. */
async function checkFiles(port, name, body) {
  const base = `http://host/${name}/`;
  const named = [...body.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)];
  const paths = [...new Set(named.map(([, path]) => new URL(path, base).pathname))];
  const endings = {
    js: /^text\/javascript/,
    css: /^text\/css/,
    ico: /^image\//,
  };
  assert.ok(
    paths.some((path) => path.endsWith('.js')),
    `no script in ${body}`,
  );
  for (const path of paths) {
    const { status, headers } = await get(port, path);
    assert.equal(status, 200, path);
    assert.match(headers['content-type'], endings[path.split('.').at(-1)], path);
  }
}

/** The pages hydrate, and a click there counts. */
async function checkInBrowser(port) {
  const chromium = findChromium();
  if (chromium === undefined && process.env.CI === 'true') throw new Error(NO_CHROMIUM);
  if (chromium === undefined) return;
  const browser = await openBrowser(chromium);
  try {
    const problems = [];
    const page = await browser.newPage();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('response', (response) => {
      if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
    });
    for (const [path, text] of [
      ['/de', LOCALES.de.welcome],
      ['/fr/visit/7', LOCALES.fr.visit],
    ]) {
      await page.goto(`http://127.0.0.1:${port}${path}`);
      await page.getByRole('button').click();
      await page.getByText('1', { exact: true }).waitFor();
      assert.equal(await page.locator('h1').textContent(), text);
      // Hydration takes this away, and so does what renders the page once more: that says so.
      assert.equal(await page.locator('[ngh]').count(), 0);
      assert.deepEqual(problems, []);
    }
  } finally {
    await browser.close();
  }
}

async function checkMissingFolder(workspace) {
  const folder = join(workspace, 'dist/shop/browser/de');
  renameSync(folder, `${folder}-away`);
  try {
    const env = { ...childEnv, PORT: '0' };
    const inputs = { cwd: workspace, env, mayFail: true, limitMs: 60_000 };
    const { code, output } = await run(process.execPath, [DE_SERVER], inputs);
    assert.notEqual(code, 0);
    assert.match(output, /NG_SSR_BROWSER_FOLDER_MISSING/);
    assert.ok(output.includes(folder), output);
  } finally {
    renameSync(`${folder}-away`, folder);
  }
}

/** Angular's app engine sends `/` on by the language that is asked for. */
async function checkRedirects(port) {
  const languages = { 'de-AT,de;q=0.9': '/de', 'fr-CA': '/fr', 'en,de;q=0.5': '/en' };
  for (const [language, target] of Object.entries(languages)) {
    const { status, headers } = await get(port, '/', { 'Accept-Language': language });
    assert.equal(status, 302, language);
    assert.equal(headers.location.replace(/\/$/, ''), target, language);
    assert.match(headers.vary ?? '', /accept-language/i);
  }
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
