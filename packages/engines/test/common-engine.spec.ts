import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { APP_BASE_HREF } from '@angular/common';
import { AngularAppEngine } from '@angular/ssr';
import { describe, expect, it } from 'vitest';
import { commonEngine, type CommonEngineOptions } from '../src/index.ts';
import { AppModule, bootstrap, document, GREETING } from './fixture/app.ts';
import { writeBuildFolder } from './fixture/build-folder.ts';
import { defineEngineSuite, request } from './fixture/engine-suite.ts';

const browserFolder = writeBuildFolder(document);

function create(options: Partial<CommonEngineOptions> = {}) {
  const engine = commonEngine({ bootstrap, ...options });
  engine.setup?.({ allowedHosts: ['shop.example'], trustProxyHeaders: false, browserFolder });
  return engine;
}

defineEngineSuite('commonEngine', create);
defineEngineSuite('commonEngine by Angular alone', (options) =>
  create({ ...options, fast: false }),
);
defineEngineSuite('commonEngine with an NgModule', (options) =>
  create({ bootstrap: AppModule, ...options }),
);

describe('commonEngine', () => {
  it('passes platform providers', async () => {
    const engine = create({ providers: [{ provide: GREETING, useValue: 'hej' }] });
    const response = await engine(request('/provided'));
    expect(await response?.text()).toContain('greeting=hej');
  });

  it('has no page for a path that no route matches', async () => {
    expect(await create()(request('/nowhere'))).toBeNull();
  });

  it('answers pages whose components replace the headers of RESPONSE_INIT', async () => {
    const response = await create()(request('/plain'));
    expect(response?.headers.get('x-plain')).toBe('yes');
    expect(response?.headers.get('content-type')).toBe('text/html;charset=UTF-8');
  });

  it('does not read pages of the browser folder', async () => {
    mkdirSync(join(browserFolder, 'provided'));
    writeFileSync(
      join(browserFolder, 'provided/index.html'),
      '<app-root ng-server-context="ssg">from disk</app-root>',
    );
    const response = await create()(request('/provided'));
    expect(await response?.text()).not.toContain('from disk');
  });

  it('inlines critical CSS read from the browser folder, unless disabled', async () => {
    writeFileSync(join(browserFolder, 'styles.css'), 'p{color:red}.unused{color:blue}');
    const documentFilePath = join(browserFolder, '../with-styles.html');
    const link = '<link rel="stylesheet" href="styles.css"></head>';
    writeFileSync(documentFilePath, document.replace('</head>', link));
    const inlined = await create({ documentFilePath })(request('/provided'));
    expect(await inlined?.text()).toMatch(/<style>p\s*\{color:red;?\}<\/style>/);
    const linked = await create({ documentFilePath, inlineCriticalCss: false })(
      request('/provided'),
    );
    expect(await linked?.text()).not.toContain('<style>p');
  });

  it('answers hosts the server has checked although NG_ALLOWED_HOSTS names others', async () => {
    process.env['NG_ALLOWED_HOSTS'] = 'other.example';
    try {
      expect((await create()(request('/hello')))?.status).toBe(200);
      expect(process.env['NG_ALLOWED_HOSTS']).toBe('other.example');
    } finally {
      delete process.env['NG_ALLOWED_HOSTS'];
    }
  });

  it('has a page for a path that is not below APP_BASE_HREF, whatever its first letters are', async () => {
    for (const useValue of ['/other', '/hel']) {
      const engine = create({ providers: [{ provide: APP_BASE_HREF, useValue }] });
      expect((await engine(request('/hello')))?.status, useValue).toBe(200);
    }
  });

  it('allows every host where the development server has checked them', () => {
    expect(create().allowedHosts?.()).toEqual([]);
    AngularAppEngine.ɵallowStaticRouteRender = true;
    try {
      expect(create().allowedHosts?.()).toEqual(['*']);
    } finally {
      AngularAppEngine.ɵallowStaticRouteRender = false;
    }
  });

  it('names the option when the document is missing', () => {
    expect(() => create({ documentFilePath: '/nowhere/index.server.html' })).toThrow(
      expect.objectContaining({
        code: 'NG_SSR_OPTION_INVALID',
        message: expect.stringContaining('/nowhere/index.server.html'),
      }),
    );
  });

  it('refuses unknown options and a bootstrap that is none', () => {
    expect(() => create({ publicpath: 'x' } as object)).toThrow(
      expect.objectContaining({ code: 'NG_SSR_OPTION_UNKNOWN' }),
    );
    expect(() => create({ bootstrap: {} as never })).toThrow(
      expect.objectContaining({ code: 'NG_SSR_OPTION_INVALID' }),
    );
  });

  it('refuses to render before setup', () => {
    expect(() => commonEngine({ bootstrap })(request('/hello'))).toThrow(
      expect.objectContaining({ code: 'NG_SSR_RENDER_FAILED' }),
    );
  });
});
