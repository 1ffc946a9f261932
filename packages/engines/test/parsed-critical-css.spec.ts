import '@angular/platform-server/init';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommonEngine } from '@angular/ssr/node';
import { createDom, type DomClasses } from '@ng-ssr/dom';
import { afterAll, describe, expect, it } from 'vitest';
import { MARKER, readCriticalCss, readInlineCss } from '../src/fast/angular-hooks.ts';
import { AppStyles } from '../src/fast/app-styles.ts';

const PAGE =
  '<!DOCTYPE html><html><head><link rel="stylesheet" href="s.css"></head><body><p class="a">x</p></body></html>';
const URL_OF_PAGE = 'http://shop.example/a?b=c';

const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-parsed-css-'));
writeFileSync(join(folder, 's.css'), '.a{color:red}.b{color:blue}');
afterAll(() => rmSync(folder, { recursive: true }));

const dom = createDom(globalThis as unknown as DomClasses);
/** The processor that the app engine has before Angular 22.2 is the one that CommonEngine still has. */
const inline = readInlineCss(new CommonEngine(), folder)!;

/** An AngularServerApp as before Angular 22.2: it remembers the last page of each URL. */
class OlderApp {
  readonly manifest: { readonly inlineCriticalCss: boolean };
  readonly remembered = new Map<string, { html: string; bytes: Uint8Array<ArrayBuffer> }>();
  parsed = 0;

  constructor(inlineCriticalCss: boolean) {
    this.manifest = { inlineCriticalCss };
  }

  async inlineCriticalCssWithCache(
    html: string,
    url: URL | string,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const cached = this.remembered.get(String(url));
    if (cached?.html === html) return cached.bytes;
    this.parsed++;
    const bytes = new TextEncoder().encode(await inline(html));
    this.remembered.set(String(url), { html, bytes });
    return bytes;
  }
}

/** Renders the page as the fast path does: Angular gets the marker first. */
async function renderFast(app: OlderApp): Promise<Uint8Array> {
  const styles = new AppStyles().of(app)!;
  const document = dom.createDocument(PAGE, URL_OF_PAGE);
  const draft = styles.draft(document, () => document.serialize(), URL_OF_PAGE);
  const marker = await app.inlineCriticalCssWithCache(MARKER, URL_OF_PAGE);
  expect(new TextDecoder().decode(marker)).toBe(MARKER);
  return typeof draft === 'function' ? await draft() : draft;
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

it('of builds without plans is what Angular inlines', async () => {
  const page = text(await renderFast(new OlderApp(true)));
  expect(page).toContain('<style>.a{color:red}</style>');
  expect(page).toBe(text(await new OlderApp(true).inlineCriticalCssWithCache(PAGE, URL_OF_PAGE)));
});

it('of builds without plans is none where the build inlines none', async () => {
  const app = new OlderApp(false);
  expect(text(await renderFast(app))).toBe(dom.createDocument(PAGE, URL_OF_PAGE).serialize());
});

it('is not computed again for a page that Angular remembers, and the marker takes no place', async () => {
  const app = new OlderApp(true);
  const first = await renderFast(app);
  const expected = text(first);
  // The buffer of a page may be transferred to another thread.
  structuredClone(first, { transfer: [first.buffer] });
  expect(text(await renderFast(app))).toBe(expected);
  expect([app.parsed, [...app.remembered.keys()]]).toEqual([1, [URL_OF_PAGE]]);
});

describe('an application without a memory of pages, and a build without plans', () => {
  const manifest = { inlineCriticalCss: true };

  it('inlines none where Angular returns pages as they are, as 22.2 does for an earlier build', () => {
    const app = { manifest, inlineCriticalCss: (html: string) => html };
    expect(readCriticalCss(app)).toEqual({ plans: [], inline: undefined });
  });

  it.each([
    ['resolves them', { manifest, inlineCriticalCss: async (html: string) => html }],
    ['changes them', { manifest, inlineCriticalCss: (html: string) => `${html}<style></style>` }],
    ['has no such member', { manifest }],
  ])('is unknown where Angular %s', (_what, app) => {
    expect(readCriticalCss(app as never)).toBeUndefined();
  });
});

it('of a build with plans is searched for in pages, not in the marker', () => {
  const searched: string[] = [];
  const app = {
    manifest: { criticalCssPlans: [[]] },
    inlineCriticalCss: (html: string) => (searched.push(html), `${html}!`),
  };
  const { inline } = readCriticalCss(app)!;
  expect([app.inlineCriticalCss(MARKER), inline!(PAGE, URL_OF_PAGE)]).toEqual([MARKER, `${PAGE}!`]);
  expect(app.inlineCriticalCss(PAGE)).toBe(`${PAGE}!`);
  expect(searched).toEqual([PAGE, PAGE]);
});
