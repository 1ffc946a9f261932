import { AngularAppEngine } from '@angular/ssr';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { appEngine } from '../src/index.ts';
import { bootstrap } from './fixture/app.ts';
import { createAppEngine } from './fixture/built-app.ts';
import { setManifests } from './fixture/manifests.ts';
import { defineEngineSuite, request } from './fixture/engine-suite.ts';

setManifests(bootstrap);
defineEngineSuite('appEngine', createAppEngine);
defineEngineSuite('appEngine by Angular alone', (options) =>
  createAppEngine({ ...options, fast: false }),
);

describe('appEngine', () => {
  afterEach(() => {
    AngularAppEngine.ɵdisableAllowedHostsCheck = false;
    AngularAppEngine.ɵallowStaticRouteRender = false;
    vi.restoreAllMocks();
  });

  it('has no page for a path that no route matches', async () => {
    expect(await createAppEngine()(request('/nowhere'))).toBeNull();
  });

  it('knows the hosts of angular.json', () => {
    expect(appEngine().allowedHosts?.()).toEqual(['built.example']);
  });

  it('allows every host where the development server has checked them', async () => {
    AngularAppEngine.ɵallowStaticRouteRender = true;
    const warn = vi.spyOn(console, 'warn');
    const engine = appEngine();
    const allowedHosts = engine.allowedHosts!();
    expect(allowedHosts).toEqual(['*']);
    engine.setup!({ allowedHosts, trustProxyHeaders: false, browserFolder: undefined });
    const response = await engine(new Request('http://tunnel.example/hello'));
    expect(response?.status).toBe(200);
    expect(warn).not.toHaveBeenCalled();
  });

  it('renders for hosts that a function has allowed, without the warning about every host', async () => {
    const warn = vi.spyOn(console, 'warn');
    const engine = appEngine();
    engine.setup!({
      allowedHosts: ['built.example', '*'],
      areHostsAsked: true,
      trustProxyHeaders: true,
      browserFolder: undefined,
    });
    const headers = { 'x-forwarded-host': 'tenant.example' };
    const response = await engine(new Request('http://tenant.example/hello', { headers }));
    expect(response?.status).toBe(200);
    expect(warn).not.toHaveBeenCalled();
    // What the build allows stays as it is, for other servers of this process.
    expect(appEngine().allowedHosts?.()).toEqual(['built.example']);
  });

  it('allows every host where the development server allows every host', () => {
    AngularAppEngine.ɵdisableAllowedHostsCheck = true;
    expect(appEngine().allowedHosts?.()).toEqual(['*']);
  });

  it('adds the headers of the server route', async () => {
    expect((await createAppEngine()(request('/sold')))?.headers.get('x-route')).toBe('sold');
  });

  it('fails the body when serializing fails and any error counts', async () => {
    const response = await createAppEngine({ failOnError: true })(request('/boom-serialized'));
    await expect(response?.arrayBuffer()).rejects.toThrow('boom before serializing');
  });

  it('prints nothing while it answers', async () => {
    const warn = vi.spyOn(console, 'warn');
    const error = vi.spyOn(console, 'error');
    await (
      await createAppEngine()(request('/hello', { 'x-forwarded-host': 'shop.example' }))
    )?.text();
    expect(warn).not.toHaveBeenCalled();
    expect(error).not.toHaveBeenCalled();
  });

  it('refuses unknown options and renders before setup', async () => {
    expect(() => appEngine({ inlineCriticalCss: true } as object)).toThrow(
      expect.objectContaining({ code: 'NG_SSR_OPTION_UNKNOWN' }),
    );
    await expect(appEngine()(request('/hello'))).rejects.toThrow('before setup()');
  });
});
