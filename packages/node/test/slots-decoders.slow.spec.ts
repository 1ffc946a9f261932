import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { Random, seed } from '@ng-ssr/conformance/fuzz';
import { createNodeSsrServer, withDictionaries, withSlots } from '@ng-ssr/node/server';
import { expect, onTestFinished, test } from 'vitest';
import { writeBuiltSite } from '../../core/test/built-site.ts';
import {
  findChromium,
  NO_CHROMIUM,
  openBrowser,
} from '../../../examples/material-app/test/browser.ts';

const run = promisify(execFile);
const chromium = findChromium();
if (chromium === undefined) {
  if (process.env['CI'] === 'true') throw new Error(NO_CHROMIUM);
  console.warn(`Browser tests are skipped: ${NO_CHROMIUM}`);
}
const SAMPLES = 12;
const SLOTS = 4;
/** So that elements end around the limits of blocks. */
const CHARACTERS = [0, 1, 65_400, 65_465, 65_470, 65_480, 131_000, 131_005, 131_010, 200_000];
const PAGE = `<!doctype html><html><head><link rel="icon" href="data:,"></head><body>${'<p>The same for all.</p>'.repeat(200)}</body></html>`;

/** What a client has decoded. */
interface Decoded {
  readonly encoding: string | undefined;
  readonly digest: string;
}

type Encoding = 'gzip' | 'br' | 'zstd';
const ALL: readonly Encoding[] = ['zstd', 'br', 'gzip'];

const digestOf = (content: Uint8Array | string): string =>
  createHash('sha256').update(content).digest('hex');

/** The slots of a sample have different characters, so that a piece in another place is detected. */
async function startServer(encodings: readonly Encoding[] = ALL): Promise<string> {
  const random = new Random(seed);
  const samples = Array.from({ length: SAMPLES }, () =>
    Array.from({ length: SLOTS }, (_, at) => {
      const base = random.chance(0.7) ? random.pick(CHARACTERS) : random.below(200_000);
      return String.fromCharCode(97 + at).repeat(base + random.below(70));
    }),
  );
  const dataOf = (slot: number, { url }: Request): string =>
    samples[Number(new URL(url).pathname.split('/').at(-1))]![slot]!;
  const slots = Array.from({ length: SLOTS }, (_, slot) => [
    `s${slot}`,
    { when: () => true, routes: ['/sample/*'], fill: (request: Request) => dataOf(slot, request) },
  ]);
  const ssr = createNodeSsrServer({
    engine: () => new Response(PAGE, { headers: { 'content-type': 'text/html' } }),
    allowedHosts: ['localhost'],
    files: {
      folder: writeBuiltSite({ 'browser/index.csr.html': PAGE }),
    },
    render: { encodings },
    routeRules: { '/**': { sMaxAge: 600, staleWhileRevalidate: 600 } },
    features: [
      withSlots(Object.fromEntries(slots) as Parameters<typeof withSlots>[0]),
      withDictionaries(),
    ],
  });
  const { url } = await ssr.listen({ port: 0, announce: false, shutdown: false });
  onTestFinished(() => ssr.close());
  return url;
}

async function curl(url: string, encoding: string): Promise<Decoded> {
  const options = { encoding: 'buffer', maxBuffer: 2 ** 24 } as const;
  const accepted = ['--compressed', '-H', `accept-encoding: ${encoding}`];
  const { stdout } = await run('curl', ['-sS', '--fail', ...accepted, url], options);
  return { encoding, digest: digestOf(stdout) };
}

async function nodeFetch(url: string, accepted: string): Promise<Decoded> {
  const response = await fetch(url, { headers: { 'accept-encoding': accepted } });
  const encoding = response.headers.get('content-encoding') ?? undefined;
  return { encoding, digest: digestOf(new Uint8Array(await response.arrayBuffer())) };
}

const PROGRAM = `
import gzip, hashlib, sys, urllib.request
request = urllib.request.Request(sys.argv[1], headers={'accept-encoding': 'gzip'})
with urllib.request.urlopen(request) as response:
    print(response.headers['content-encoding'], hashlib.sha256(gzip.decompress(response.read())).hexdigest())
`;

async function python(url: string): Promise<Decoded> {
  const { stdout } = await run('python3', ['-c', PROGRAM, url]);
  const [encoding, digest = ''] = stdout.trim().split(' ');
  return { encoding, digest };
}

async function isThere(program: string, ...needs: readonly string[]): Promise<boolean> {
  try {
    const { stdout } = await run(program, ['--version']);
    return needs.every((need) => stdout.includes(need));
  } catch {
    return false;
  }
}

test('pages that were left open are decoded by curl, fetch and Python', async () => {
  console.log(`NG_SSR_FUZZ_SEED=${seed}`);
  const url = await startServer();
  const hasCurl = await isThere('curl', 'brotli', 'zstd');
  const hasPython = await isThere('python3');
  for (let sample = 0; sample < SAMPLES; sample++) {
    const target = `${url}sample/${sample}`;
    const { encoding, digest } = await nodeFetch(target, 'identity');
    expect(encoding).toBeUndefined();
    for (const each of ['gzip', 'br', 'zstd']) {
      // Undici decodes no zstd in this version.
      if (each !== 'zstd')
        expect(await nodeFetch(target, each)).toEqual({ encoding: each, digest });
      if (hasCurl) expect(await curl(target, each)).toEqual({ encoding: each, digest });
    }
    if (hasPython) expect(await python(target)).toEqual({ encoding: 'gzip', digest });
  }
}, 120_000);

test.skipIf(chromium === undefined)(
  'Chromium decodes them in a navigation and by fetch',
  async () => {
    console.log(`NG_SSR_FUZZ_SEED=${seed}`);
    const browser = await openBrowser(chromium!);
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    // A browser accepts them all: the server is left with one.
    for (const encodings of [['gzip'], ['br'], ['zstd'], ALL] as const) {
      const url = await startServer(encodings);
      // It has the dictionary of the site from now on.
      await page.goto(url);
      for (let sample = 0; sample < SAMPLES; sample += 2) {
        const target = `${url}sample/${sample}`;
        const about = `${encodings.join()} ${sample}`;
        const { digest } = await nodeFetch(target, 'identity');
        const response = await page.goto(target);
        // Never one with a dictionary: the page is of one client.
        const { 'content-encoding': encoding } = await response!.allHeaders();
        expect(encodings, about).toContain(encoding);
        expect(digestOf(await response!.body()), about).toBe(digest);
        const names = await page.$$eval('script[data-ng-ssr-slot]', (scripts) =>
          scripts.map((script) => script.getAttribute('data-ng-ssr-slot')),
        );
        expect(names).toHaveLength(SLOTS);
        const fetched = await page.evaluate(async (target) => {
          const content = await (await fetch(target, { cache: 'no-store' })).arrayBuffer();
          const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', content));
          return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
        }, target);
        expect(fetched, about).toBe(digest);
      }
    }
  },
  120_000,
);
