import './fake-browser.ts';
import {
  createEnvironmentInjector,
  type EnvironmentInjector,
  Injector,
  PLATFORM_ID,
  ɵINJECTOR_SCOPE as INJECTOR_SCOPE,
} from '@angular/core';
import { withNavigationErrorHandler } from '@angular/router';
import { SKEW, withSkewRecovery } from '@ng-ssr/angular';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FakeBrowser, LOST, MAIN } from './fake-browser.ts';

test('a lost chunk of another build is one document navigation to its target', async () => {
  const browser = new FakeBrowser();
  expect(await browser.fail('/guide?a=1#b')).toBe(true);
  expect(browser.left).toEqual(['assign https://a/guide?a=1#b']);
  expect([browser.asked, browser.tried, browser.passedOn]).toEqual([['/_ng-ssr/version'], [], []]);
});

test('other errors go on, and nothing is asked', async () => {
  const browser = new FakeBrowser();
  expect(await browser.fail('/guide', {}, new Error('a guard'))).toBe(false);
  expect([browser.left, browser.asked, browser.passedOn.length]).toEqual([[], [], 1]);
});

test.each([
  ['of the same build', [MAIN]],
  ['out of reach', undefined],
  ['without hashes in its names', []],
])(
  'where the server is %s the navigation is tried once more, and its error goes on',
  async (_, server) => {
    const browser = new FakeBrowser();
    browser.server = server;
    expect(await browser.fail('/guide', { extras: { state: { a: 1 } } })).toBe(true);
    expect(browser.left).toEqual([]);
    expect(browser.tried).toEqual([['/guide', { state: { a: 1 }, replaceUrl: false }]]);
  },
);

test('the error of the second try goes on', async () => {
  const browser = new FakeBrowser();
  browser.server = [MAIN];
  let retry: Promise<boolean> | undefined;
  const { tried } = browser;
  tried.push = (entry) => {
    retry = browser.fail(entry[0]);
    return 1;
  };
  await browser.fail('/guide');
  expect(await retry).toBe(false);
  expect(browser.passedOn).toMatchObject([{ url: '/guide', error: LOST }]);
});

test.each([
  [{ extras: { replaceUrl: true } }, ['replace https://a/guide']],
  [{ trigger: 'popstate' }, ['replace https://a/guide']],
  [{ extras: { browserUrl: '/shown' } }, ['assign https://a/shown']],
  // The address stays the same: it is loaded again.
  [{ extras: { skipLocationChange: true } }, ['set https://a/about', 'reload']],
])('%j leads to %j', async (navigation, left) => {
  const browser = new FakeBrowser();
  await browser.fail('/guide', navigation);
  expect(browser.left).toEqual(left);
});

test('with hash locations the document is loaded again for another fragment', async () => {
  const browser = new FakeBrowser({}, { isHash: true, base: 'https://a/about' });
  await browser.fail('/guide');
  expect(browser.left).toEqual(['push https://a/about#/guide', 'reload']);
});

test('the version is asked for below the base href', async () => {
  const browser = new FakeBrowser({}, { base: 'https://a/shop/' });
  await browser.fail('/guide');
  expect(browser.asked).toEqual(['/shop/_ng-ssr/version']);
});

test('the same address is not left for twice by the same build, another one is', async () => {
  const browser = new FakeBrowser();
  await browser.fail('/guide');
  browser.hide();
  await browser.fail('/guide');
  expect(browser.left).toHaveLength(1);
  expect(browser.tried).toHaveLength(1);
  await browser.fail('/lazy');
  expect(browser.left).toHaveLength(2);
  // Another build of the same tab.
  const next = new FakeBrowser({}, { scripts: ['main-NEXTMAIN.js'] });
  for (const [key, value] of browser.storage) next.storage.set(key, value);
  await next.fail('/guide');
  expect(next.left).toHaveLength(1);
});

test('a tab that never gets another build is left ten times, whatever its addresses are', async () => {
  const storage = new Map<string, string>();
  let left = 0;
  for (let document = 0; document < 500; document++) {
    const browser = new FakeBrowser({}, { scripts: [`main-BUILD${document % 2}AB.js`] });
    for (const [key, value] of storage) browser.storage.set(key, value);
    // The first navigation of a page that makes a new query each time it starts.
    browser.navigated = false;
    await browser.fail(`/sign-in?state=${document}`);
    browser.hide();
    left += browser.left.length;
    for (const [key, value] of browser.storage) storage.set(key, value);
    expect(browser.passedOn).toHaveLength(1);
  }
  expect(left).toBe(10);
});

test('leaving documents is allowed again five minutes later', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const browser = new FakeBrowser();
  for (let at = 0; at < 12; at++) {
    await browser.fail(`/guide/${at}`);
    browser.hide();
  }
  expect(browser.left).toHaveLength(10);
  vi.setSystemTime(Date.now() + 5 * 60 * 1000);
  await browser.fail('/guide/12');
  expect(browser.left).toHaveLength(11);
});

test('a document that was not left counts for nothing', async () => {
  const browser = new FakeBrowser();
  await browser.fail('/guide');
  await browser.fail('/guide');
  expect(browser.left).toHaveLength(2);
});

test.each(['{', '[1,null,{"url":1}]', '{"a":1}', ''])(
  '%j in the storage is nothing',
  async (text) => {
    const browser = new FakeBrowser();
    browser.storage.set('ng-ssr-skew', text);
    await browser.fail('/guide');
    expect(browser.left).toHaveLength(1);
  },
);

test('without storage nothing could end a loop: no document is left', async () => {
  const browser = new FakeBrowser();
  browser.isStorageThere = false;
  await browser.fail('/guide');
  expect([browser.left, browser.tried.length]).toEqual([[], 1]);
});

test('a page whose build has no name is never left', async () => {
  const browser = new FakeBrowser(
    {},
    { scripts: ['main.js', 'https://cdn.example/x-ABCDEFGH.js'] },
  );
  await browser.fail('/guide');
  expect([browser.left, browser.asked]).toEqual([[], []]);
});

test.each([
  ['false', () => false],
  ['a promise of false', () => Promise.resolve(false)],
])('canReload holds it back: %s', async (_, canReload) => {
  const browser = new FakeBrowser({ canReload });
  await browser.fail('/guide');
  expect([browser.left, browser.tried.length, browser.reported]).toEqual([[], 1, []]);
});

test('canReload that throws holds it back, and the error is reported', async () => {
  const cause = new Error('a dialog');
  const canReload = (): boolean => {
    throw cause;
  };
  const browser = new FakeBrowser({ canReload });
  await browser.fail('/guide');
  expect([browser.left, browser.tried.length, browser.reported]).toEqual([[], 1, [cause]]);
});

test('the first navigation has no place to stay at: its error goes on, and the document is loaded', async () => {
  const browser = new FakeBrowser();
  browser.navigated = false;
  expect(await browser.fail('/guide')).toBe(false);
  expect([browser.passedOn.length, browser.left]).toEqual([1, ['assign https://a/guide']]);
});

test('a navigation that was given up for another one is not continued', async () => {
  const browser = new FakeBrowser();
  const failed = browser.fail('/guide');
  browser.start('/lazy');
  await failed;
  expect([browser.left, browser.tried]).toEqual([[], []]);
});

test('on the server errors go on, and the server is no other one', async () => {
  const browser = new FakeBrowser({}, { platform: 'server' });
  expect(await browser.fail('/guide')).toBe(false);
  expect(browser.passedOn).toHaveLength(1);
  const skew = browser.injector.get(SKEW);
  expect([skew.updated(), await skew.check(), browser.asked]).toEqual([false, 'unknown', []]);
});

test('the signal follows what the server says', async () => {
  const browser = new FakeBrowser();
  const skew = browser.injector.get(SKEW);
  expect([skew.build, skew.updated()]).toEqual([MAIN, false]);
  expect([await skew.check(), skew.updated()]).toEqual(['other', true]);
  browser.server = undefined;
  expect([await skew.check(), skew.updated()]).toEqual(['unknown', true]);
  browser.server = [MAIN];
  expect([await skew.check(), skew.updated()]).toEqual(['same', false]);
});

test('a handler that replaces it is an error at start', () => {
  const start = (): unknown =>
    createEnvironmentInjector(
      [
        ...withSkewRecovery().ɵproviders,
        ...withNavigationErrorHandler(() => undefined).ɵproviders,
        { provide: INJECTOR_SCOPE, useValue: 'root' },
        { provide: PLATFORM_ID, useValue: 'server' },
      ],
      Injector.NULL as EnvironmentInjector,
    );
  expect(start).toThrow('withSkewRecovery({ navigationErrorHandler })');
});
