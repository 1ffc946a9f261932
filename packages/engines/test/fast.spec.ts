import { DOCUMENT, inject, provideEnvironmentInitializer } from '@angular/core';
import type { RenderEngine } from '@ng-ssr/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { commonEngine, type EngineOptions } from '../src/index.ts';
import { bootstrapWith, document } from './fixture/app.ts';
import { createAppEngine } from './fixture/built-app.ts';
import { request } from './fixture/engine-suite.ts';
import { writeBuildFolder } from './fixture/build-folder.ts';
import { setManifests } from './fixture/manifests.ts';

const documents: object[] = [];
const bootstrap = bootstrapWith({
  providers: [provideEnvironmentInitializer(() => void documents.push(inject(DOCUMENT)))],
});
setManifests(bootstrap);

const browserFolder = writeBuildFolder(document);

function createCommonEngine(options: EngineOptions): RenderEngine {
  const engine = commonEngine({ bootstrap, ...options });
  engine.setup?.({ allowedHosts: ['shop.example'], trustProxyHeaders: false, browserFolder });
  return engine;
}

const PATHS = ['/', '/hello', '/provided', '/personal', '/sold', '/plain', '/old', '/nowhere'];

async function answerOf(engine: RenderEngine, path: string): Promise<unknown> {
  const response = await engine(request(path, { cookie: 'a=<&>"\u00e9' }));
  if (!response) return response;
  const { status, statusText, headers } = response;
  return { status, statusText, headers: [...headers], body: await response.text() };
}

describe.each([
  ['appEngine', createAppEngine],
  ['commonEngine', createCommonEngine],
])('%s', (_, create) => {
  afterEach(() => void vi.restoreAllMocks());

  it.each(PATHS)('answers %s as Angular alone does', async (path) => {
    const error = vi.spyOn(console, 'error');
    const [fast, plain] = [create({}), create({ fast: false })];
    const expected = await answerOf(plain, path);
    expect(await answerOf(fast, path)).toEqual(expected);
    expect(await answerOf(fast, path)).toEqual(expected);
    expect(error).not.toHaveBeenCalled();
  });

  it('renders into a document of its own, unless it is not to', async () => {
    documents.length = 0;
    await answerOf(create({}), '/hello');
    await answerOf(create({ fast: false }), '/hello');
    expect(documents.map((document) => 'unsupported' in document)).toEqual([true, false]);
  });
});
