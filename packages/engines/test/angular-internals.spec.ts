import { VERSION } from '@angular/core';
import { AngularAppEngine, createRequestHandler } from '@angular/ssr';
import { createNodeRequestHandler } from '@angular/ssr/node';
import { SsrError } from '@ng-ssr/core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { appEngine } from '../src/index.ts';
import { describeMissing, type Internal, INTERNALS } from '../src/angular-internals.ts';
import { findPlaces, FOUND, type Places } from './fixture/angular-symbols.ts';
import { bootstrap } from './fixture/app.ts';
import { setManifests } from './fixture/manifests.ts';

/** Where each symbol is, to take it away. */
const PLACE_OF: Record<Internal, readonly [place: keyof Places, member: string]> = {
  'AngularAppEngine.ɵdisableAllowedHostsCheck': ['AngularAppEngine', 'ɵdisableAllowedHostsCheck'],
  'AngularAppEngine.ɵallowStaticRouteRender': ['AngularAppEngine', 'ɵallowStaticRouteRender'],
  'AngularNodeAppEngine#angularAppEngine': ['nodeEngine', 'angularAppEngine'],
  'AngularAppEngine#allowedHosts': ['appEngine', 'allowedHosts'],
  'AngularAppEngine#getAngularServerAppForRequest': ['appEngine', 'getAngularServerAppForRequest'],
  'AngularAppEngine#manifest.supportedLocales': ['engineManifest', 'supportedLocales'],
  'AngularAppEngine#supportedLocales': ['appEngine', 'supportedLocales'],
  'AngularServerApp#manifest': ['serverApp', 'manifest'],
  'AngularServerApp#manifest.bootstrap': ['manifest', 'bootstrap'],
  'AngularServerApp#manifest.assets': ['manifest', 'assets'],
  'AngularServerApp#manifest.routes': ['manifest', 'routes'],
  'AngularServerApp#handle': ['serverApp', 'handle'],
  'AngularServerApp#router': ['serverApp', 'router'],
  'R3Injector#records': ['injectors', 'records'],
  'R3Injector#resolveInjectorInitializers': ['injectors', 'resolveInjectorInitializers'],
  'ErrorHandler#_console': ['errorHandler', '_console'],
  'NgModule.ɵmod': ['ngModule', 'ɵmod'],
  'INITIAL_CONFIG.document': ['initialConfig', 'document'],
  'AngularServerApp#manifest.criticalCssPlans': ['beasties', 'compileSheet'],
  'AngularServerApp#inlineCriticalCss': ['serverApp', 'inlineCriticalCss'],
  'CommonEngine#inlineCriticalCss': ['commonEngine', 'inlineCriticalCss'],
  'Document#serialize': ['document', 'serialize'],
};
const symbols = Object.keys(INTERNALS) as Internal[];
let places: Places;

/** @throws Error that says what is lost. */
function expectSymbol(symbol: Internal, places: Places): void {
  const message = `Angular ${VERSION.full}: ${describeMissing(symbol)}`;
  expect(FOUND[symbol](places), message).toBe(true);
}

/** The same as if Angular had given one of its members another name. */
function without(symbol: Internal, places: Places): Places {
  const [place, member] = PLACE_OF[symbol];
  const doctor = (value: object): object =>
    new Proxy(value, {
      get: (target, name) => (name === member ? undefined : Reflect.get(target, name)),
      has: (target, name) => name !== member && Reflect.has(target, name),
    });
  const found = places[place];
  return { ...places, [place]: Array.isArray(found) ? found.map(doctor) : doctor(found) };
}

beforeAll(async () => {
  setManifests(bootstrap);
  places = await findPlaces();
});

describe.each(symbols)('%s', (symbol) => {
  it('is in the Angular that is installed', () => expectSymbol(symbol, places));

  it('is reported, with its effect, where Angular no longer has it', () => {
    const renamed = without(symbol, places);
    expect(() => expectSymbol(symbol, renamed)).toThrow(INTERNALS[symbol]);
    for (const other of symbols) if (other !== symbol) expectSymbol(other, renamed);
  });
});

it('the Angular CLI knows the request handlers of adapters by the marks of its own', () => {
  expect(createNodeRequestHandler(() => undefined)).toHaveProperty(
    '__ng_node_request_handler__',
    true,
  );
  expect(createRequestHandler(() => null)).toHaveProperty('__ng_request_handler__', true);
});

it('a server reports once what its Angular no longer has', () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { ɵdisableAllowedHostsCheck: installed } = AngularAppEngine;
  try {
    Object.assign(AngularAppEngine, { ɵdisableAllowedHostsCheck: undefined });
    for (let i = 0; i < 3; i++) expect(appEngine().allowedHosts?.()).toEqual(['built.example']);
    const symbol = 'AngularAppEngine.ɵdisableAllowedHostsCheck';
    const { docs } = new SsrError('NG_SSR_ANGULAR_CHANGED', '');
    const line = `ng-ssr: NG_SSR_ANGULAR_CHANGED: ${describeMissing(symbol)} (${docs})`;
    expect(error.mock.calls).toEqual([[line]]);
  } finally {
    AngularAppEngine.ɵdisableAllowedHostsCheck = installed;
    error.mockRestore();
  }
});
