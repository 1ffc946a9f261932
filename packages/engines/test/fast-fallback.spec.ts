import { DOCUMENT, inject, provideEnvironmentInitializer, REQUEST } from '@angular/core';
import { BEFORE_APP_SERIALIZED } from '@angular/platform-server';
import { ɵdestroyAngularServerApp } from '@angular/ssr';
import type { RenderEngine } from '@ng-ssr/core';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import type { EngineOptions } from '../src/index.ts';
import { bootstrapWith, document } from './fixture/app.ts';
import { request } from './fixture/engine-suite.ts';
import { writeBuildFolder } from './fixture/build-folder.ts';
import { setManifests } from './fixture/manifests.ts';

/** A member of Angular's documents that is nowhere used, and that other documents do not have. */
interface Lacked {
  _setMutationHandler(handler: () => void): void;
}

/** What the application does, by the query of its URL. */
const documents: object[] = [];
const bootstrap = bootstrapWith({
  providers: [
    provideEnvironmentInitializer(() => {
      const document = inject(DOCUMENT) as Document & Lacked;
      const { search = '' } = new URL(inject(REQUEST)!.url);
      documents.push(document);
      const use = (): void => document._setMutationHandler(() => undefined);
      if (search === '?unsupported') use();
      if (search !== '?unsupported-caught') return;
      try {
        use();
        document.body.id = 'used';
      } catch {
        document.body.id = 'none';
      }
    }),
    {
      provide: BEFORE_APP_SERIALIZED,
      multi: true,
      useFactory: () => {
        const document = inject(DOCUMENT) as Partial<Document> & { serialize?: unknown };
        const { search = '' } = new URL(inject(REQUEST)!.url);
        return () => void (search === '?unmarked' && delete document.serialize);
      },
    },
  ],
});

const browserFolder = writeBuildFolder(document);

/** An engine of a program that has begun now: what was reported is forgotten. */
async function create(name: string, options: EngineOptions = {}): Promise<RenderEngine> {
  vi.resetModules();
  ɵdestroyAngularServerApp();
  setManifests(bootstrap);
  const { appEngine, commonEngine } = await import('../src/index.ts');
  const engine =
    name === 'appEngine' ? appEngine(options) : commonEngine({ bootstrap, ...options });
  engine.setup!({ allowedHosts: ['shop.example'], trustProxyHeaders: false, browserFolder });
  return engine;
}

async function bodyOf(engine: RenderEngine, path: string): Promise<string | undefined> {
  return (await engine(request(path)))?.text();
}

/** Whether each document since the last call was one of ours. */
function ours(): boolean[] {
  return documents.splice(0).map((document) => 'unsupported' in document);
}

let error: MockInstance<typeof console.error>;
beforeEach(() => {
  vi.stubGlobal('ngServerMode', true);
  error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  documents.length = 0;
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe.each(['appEngine', 'commonEngine'])('%s', (name) => {
  it.each(['/hello?unsupported', '/hello?unsupported-caught'])(
    'leaves %s, and its route, to Angular, where the DOM lacks something',
    async (path) => {
      const expected = await bodyOf(await create(name, { fast: false }), path);
      expect(expected).toContain('url=http://shop.example/hello');
      const engine = await create(name);
      ours();
      expect(await bodyOf(engine, path)).toBe(expected);
      expect(ours()).toEqual([true, false]);
      expect(await bodyOf(engine, path)).toBe(expected);
      await bodyOf(engine, '/hello');
      expect(ours()).toEqual([false, false]);
      await bodyOf(engine, '/sold');
      expect(ours()).toEqual([true]);
      const route = name === 'appEngine' ? '/\\*\\*' : '/hello';
      expect(error.mock.calls).toEqual([
        [
          expect.stringMatching(
            `^ng-ssr: NG_SSR_FAST_LEFT: pages of ${route} .* has no Document.*_setMutationHandler$`,
          ),
        ],
      ]);
    },
  );

  it('leaves all pages to Angular, with one notice, if Angular no longer asks the document', async () => {
    const expected = await bodyOf(await create(name, { fast: false }), '/hello?unmarked');
    const engine = await create(name);
    ours();
    for (let i = 0; i < 3; i++) expect(await bodyOf(engine, '/hello?unmarked')).toBe(expected);
    expect(ours()).toEqual([true, false, false, false]);
    expect(error.mock.calls).toEqual([[expect.stringContaining('no Document#serialize:')]]);
  });

  it('leaves all pages to Angular, with one notice, if its DOM writes pages in another way', async () => {
    await bodyOf(await create(name), '/hello');
    const { prototype } = globalThis.Document as unknown as { prototype: { serialize(): string } };
    const { serialize } = prototype;
    Object.defineProperty(prototype, 'serialize', {
      configurable: true,
      value(this: object) {
        return serialize.call(this).replaceAll('<p', '<p data-other="1"');
      },
    });
    try {
      const expected = await bodyOf(await create(name, { fast: false }), '/hello');
      const engine = await create(name);
      for (let i = 0; i < 2; i++) expect(await bodyOf(engine, '/hello')).toBe(expected);
      expect(expected).toContain('data-other');
      expect(error.mock.calls).toEqual([[expect.stringContaining('no Document#serialize:')]]);
    } finally {
      Reflect.deleteProperty(prototype, 'serialize');
    }
  });
});
