import { expect } from 'vitest';
import type { CaseContext } from '../case-context.ts';
import { BROWSER, headerLines, headerOf } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import {
  decodeWith,
  having,
  nameOf,
  untilEncodedWith,
  WITH_DICTIONARY,
} from '../dictionary-expectations.ts';
import {
  comparableHeaders,
  decodedBody,
  expectNotModified,
  listMembers,
  strongTag,
} from '../expectations.ts';
import { expectHit, purge, untilEncoded } from '../stored-expectations.ts';

/** The headers that select a representation of a page that may be encoded against a dictionary. */
const VARIES = ['accept-encoding', 'available-dictionary'];

/** Accept-Encoding headers of a client with a dictionary, and the encoding they choose. */
const CHOICES: readonly (readonly [header: string, encoding: string | undefined])[] = [
  ['gzip, deflate, br, zstd, dcb, dcz', 'dcb'],
  ['dcb, dcz', 'dcb'],
  ['dcz', 'dcz'],
  ['DCZ, br', 'dcz'],
  ['dcb;q=0.5, dcz;q=0.6', 'dcz'],
  ['dcb;q=0, dcz', 'dcz'],
  ['br;q=1, dcb;q=0.5', 'br'],
  ['identity;q=1, dcb;q=0.5', undefined],
  ['*', 'br'],
  ['br, gzip', 'br'],
  ['dcb;q=0, dcz;q=0, br', 'br'],
];

/** Values of Available-Dictionary that name no dictionary, made of one that names one. */
const NAMES: Readonly<Record<string, (name: string) => string>> = {
  nothing: () => '',
  'no byte sequence': (name) => name.slice(1, -1),
  'a byte sequence that does not end': (name) => name.slice(0, -1),
  'a string': (name) => `"${name}"`,
  'another hash': () => nameOf(Buffer.from('another')),
  'a short hash': (name) => `${name.slice(0, 20)}:`,
  'a list of two': (name) => `${name}, ${name}`,
  'base64url of another hash': (name) => name.replaceAll(/[A-Za-z]/g, '-'),
  'hex digits': (name) => `:${Buffer.from(name, 'base64').toString('hex')}:`,
  'no base64 at all': () => ':????:',
  'a property of objects': () => '__proto__',
  'very much': (name) => name.repeat(100),
};

/** Requests by Fetch Metadata, and whether the requesting site may read the answer (RFC 9842 section 9.3.3). */
const SITES: readonly (readonly [label: string, headers: Record<string, string>, is: boolean])[] = [
  ['without Fetch Metadata', {}, true],
  ['of the same origin', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' }, true],
  ['by a link elsewhere', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, true],
  ['by an image elsewhere', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, false],
  [
    'by a script elsewhere',
    { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors', origin: 'http://other.example' },
    false,
  ],
];

/** The built home page of a locale. */
const home = ({ site }: CaseContext) => site.read('sv/index.html');

/**
 * Compression Dictionary Transport (RFC 9842). The zlib of Bun and Deno may have no dictionaries: then pages are
 * encoded without, and nothing is offered.
 */
export const dictionaries = caseFile({ file: 'dictionaries', core: true }, (add) => {
  const addOne = (name: string, run: (t: CaseContext) => Promise<void>, isOfCore = true) => {
    add(
      name,
      async (t) => {
        const offered = headerLines(await t.get('/sv'), 'use-as-dictionary');
        if (offered.length > 0) return run(t);
        expect(t.isInOtherProcess).toBe(true);
        const response = await t.get('/sv', having(home(t)));
        expect(headerOf(response, 'content-encoding')).toBe('br');
        expect(listMembers(response, 'vary')).not.toContain('available-dictionary');
      },
      { profile: 'dictionaries', parity: false, core: isOfCore },
    );
  };

  addOne(
    'a home page that browsers may keep is offered for its locale',
    async ({ get, site }) => {
      for (const target of ['/sv', '/de']) {
        for (const headers of [{}, BROWSER, { 'accept-encoding': 'zstd' }]) {
          const response = await get(target, headers);
          const offer = `match="${target}/*", match-dest=("document")`;
          expect(headerLines(response, 'use-as-dictionary'), target).toEqual([offer]);
          expect(listMembers(response, 'vary')).toEqual(VARIES);
        }
        const plain = await get(target);
        const condition = { 'if-none-match': strongTag(plain) };
        expectNotModified(await get(target, condition), plain);
      }
      expect(site.read('sv/index.html').equals((await get('/sv')).body)).toBe(true);
    },
    false,
  );

  addOne('pages that browsers do not keep, other pages and queries are not', async ({ get }) => {
    for (const target of ['/', '/about', '/de?page=2', '/stored/page/a', '/rendered']) {
      expect(headerLines(await get(target), 'use-as-dictionary'), target).toEqual([]);
    }
  });

  addOne('a landing page is offered to all pages, and later to its next version', async (t) => {
    const offered = [await t.get('/guide'), await untilEncodedWith(t, '/guide', having(home(t)))];
    const values = ['*', '/guide'].map((match) => `match="${match}", match-dest=("document")`);
    expect(offered.flatMap((each) => headerLines(each, 'use-as-dictionary'))).toEqual(values);
  });

  addOne('a client that has a page is told so, whichever dictionary it names', async (t) => {
    for (const target of ['/stored/page/dictionary-stored', '/about']) {
      await untilEncodedWith(t, target, having(home(t)));
      const headers = having(home(t));
      for (const encoding of ['br', 'zstd', 'dcb']) {
        const whole =
          encoding === 'dcb'
            ? await t.get(target, headers)
            : await untilEncoded(t.request, target, encoding);
        const condition = { 'if-none-match': strongTag(whole) };
        expectNotModified(await t.get(target, { ...headers, ...condition }), whole);
        const other = { ...having(Buffer.from('another')), ...condition };
        expectNotModified(await t.get(target, other), whole);
      }
      const any = await t.get(target, { ...headers, 'if-none-match': '*' });
      expect(any.status).toBe(304);
    }
  });

  addOne('scripts and styles are offered to their next builds', async ({ get }) => {
    const script = await get('/main-ABCDEFG2.js');
    const offer = 'match="main-*.js", match-dest=("script")';
    expect(headerLines(script, 'use-as-dictionary')).toEqual([offer]);
    expect(listMembers(script, 'vary')).toEqual(VARIES);
    const style = await get('/styles-QWERTY23.css');
    expect(headerLines(style, 'use-as-dictionary')).toEqual([
      'match="styles-*.css", match-dest=("style")',
    ]);
    // The names of lazy chunks do not say which follows which.
    expect(headerLines(await get('/chunk-BIGFILE7.js'), 'use-as-dictionary')).toEqual([]);
  });

  for (const encoding of ['dcb', 'dcz']) {
    addOne(
      `a stored page and a built page come as ${encoding}`,
      async (t) => {
        const { get, request } = t;
        for (const target of [`/stored/page/${encoding}`, '/about']) {
          const identity = await get(target);
          const headers = having(home(t), encoding);
          const response = await untilEncodedWith(t, target, headers, encoding);
          expect(decodeWith(home(t), response).equals(identity.body)).toBe(true);
          expect(headerLines(response, 'content-length')).toEqual([String(response.body.length)]);
          for (const each of [response, identity, await get(target, BROWSER)]) {
            expect(listMembers(each, 'vary'), target).toEqual(VARIES);
          }
          if (target !== '/about') expectHit(response);

          const tag = strongTag(response);
          const br = strongTag(await untilEncoded(request, target, 'br'));
          expect(new Set([tag, strongTag(identity), br]).size).toBe(3);
          expectNotModified(await get(target, { ...headers, 'if-none-match': tag }), response);
          expect((await get(target, { ...headers, 'if-none-match': br })).status).toBe(200);
          expect((await get(target, { ...BROWSER, 'if-none-match': tag })).status).toBe(200);
          const head = await request({ method: 'HEAD', target, headers });
          expect(comparableHeaders(head)).toEqual(comparableHeaders(response));
          const part = await get(target, { ...headers, range: 'bytes=0-3' });
          expect(part.status).toBe(206);
          expect(part.body.equals(response.body.subarray(0, 4))).toBe(true);
        }
      },
      encoding !== 'dcb',
    );
  }

  addOne(
    'a page that is rendered now is encoded against the dictionary at once',
    async (t) => {
      const response = await t.get('/stored/page/dictionary-at-once', having(home(t)));
      expect(headerOf(response, 'content-encoding')).toBe('dcb');
      const { body } = await t.get('/stored/page/dictionary-at-once');
      expect(decodeWith(home(t), response).equals(body)).toBe(true);
      expect(t.engine.renders()).toBe(1);
    },
    false,
  );

  for (const [header, encoding] of CHOICES) {
    addOne(
      `Accept-Encoding ${JSON.stringify(header)} gives ${encoding ?? 'identity'}`,
      async (t) => {
        const target = '/stored/page/dictionary-choices';
        for (const made of ['dcb', 'dcz']) {
          await untilEncodedWith(t, target, having(home(t), made), made);
        }
        await untilEncoded(t.request, target);
        const response = await t.get(target, having(home(t), header));
        expect(headerOf(response, 'content-encoding')).toBe(encoding);
      },
    );
  }

  for (const [label, change] of Object.entries(NAMES)) {
    addOne(`Available-Dictionary with ${label} is ignored`, async (t) => {
      const target = '/stored/page/dictionary-names';
      const { body } = await t.get(target);
      await untilEncodedWith(t, target, having(home(t)));
      const name = change(nameOf(home(t)));
      const headers = { 'accept-encoding': WITH_DICTIONARY, 'available-dictionary': name };
      const response = await t.get(target, headers);
      expect(['br', 'zstd', 'gzip', undefined]).toContain(headerOf(response, 'content-encoding'));
      expect(decodedBody(response).equals(body)).toBe(true);
      expect((await t.get('/about', headers)).status).toBe(200);
    });
  }

  for (const [label, headers, isReadable] of SITES) {
    addOne(
      `a request ${label} ${isReadable ? 'gets' : 'does not get'} the difference`,
      async (t) => {
        const target = '/stored/page/dictionary-sites';
        await untilEncodedWith(t, target, having(home(t)));
        const response = await t.get(target, { ...having(home(t)), ...headers });
        const encoding = headerOf(response, 'content-encoding');
        if (isReadable) expect(encoding).toBe('dcb');
        else expect(encoding).not.toBe('dcb');
      },
    );
  }

  addOne('a page that is not for everybody is not encoded against a dictionary', async (t) => {
    // The last varies by more than language and encoding: it may be for one client.
    const shared = '/stored/odd-vary/a';
    const targets = ['/rendered', '/stored/private/a', '/stored/cookie/a', '/nostore', shared];
    for (const target of targets) {
      for (let i = 0; i < 2; i++) {
        const response = await t.get(target, having(home(t)));
        expect(['br', 'zstd'], target).toContain(headerOf(response, 'content-encoding'));
        expect(listMembers(response, 'vary'), target).not.toContain('available-dictionary');
      }
    }
  });

  addOne('clients with the last home page get differences, with older ones not', async (t) => {
    const versions: Buffer[] = [];
    for (let i = 0; i < 3; i++) {
      versions.push((await t.get('/de')).body);
      await purge(t, { path: '/de' });
      // Stale: the first request gets it and starts its refresh.
      const isNew = async () => !(await t.get('/de')).body.equals(versions[i]!);
      await expect.poll(isNew).toBe(true);
    }
    versions.push((await t.get('/de')).body);
    const encodings = [];
    for (const [at, version] of versions.entries()) {
      const response = await t.get(`/stored/page/after-home-${at}`, having(version));
      encodings.push(headerOf(response, 'content-encoding'));
    }
    expect(new Set(versions.map(String)).size).toBe(4);
    expect(encodings).toEqual(['zstd', 'zstd', 'dcb', 'dcb']);
  });

  addOne('a home page that is purged hard is no dictionary any more', async (t) => {
    const { body } = await t.get('/de');
    const before = await t.get('/stored/page/before-purge', having(body));
    expect(headerOf(before, 'content-encoding')).toBe('dcb');
    await purge(t, { path: '/de', hard: true });
    const after = await t.get('/stored/page/after-purge', having(body));
    expect(headerOf(after, 'content-encoding')).toBe('zstd');
    await t.get('/de');
    const again = await t.get('/stored/page/after-purge-again', having(body));
    expect(headerOf(again, 'content-encoding')).toBe('zstd');
  });

  add(
    'without the option nothing is offered, and nothing varies',
    async (t) => {
      for (const target of ['/sv', '/de', '/main-ABCDEFG2.js', '/stored/page/no-dictionaries']) {
        for (let i = 0; i < 3; i++) {
          const response = await t.get(target, having(home(t)));
          expect(headerOf(response, 'content-encoding') ?? '').not.toMatch(/^dc/);
          expect(headerLines(response, 'use-as-dictionary')).toEqual([]);
          expect(listMembers(response, 'vary')).not.toContain('available-dictionary');
        }
      }
    },
    { parity: false },
  );
});
