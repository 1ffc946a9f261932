import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { RESP_TYPES } from '@redis/client';
import { Random, seed, stress } from '@ng-ssr/conformance/fuzz';
import { expect, onTestFinished, test } from 'vitest';
import { isRedisServerMissing, RedisServer } from '../../../redis/test/redis-server.ts';
import { threadsMissing } from '../threads/threads-missing.ts';
import { type Asked, decode, type Got, http1Way, http2Way, type Way } from './slot-clients.ts';
import { makePlan, type Plan, SLOTS, toCookie, TOKEN } from './slot-plans.ts';
import type { SlotsProgramSettings } from './slots-program.ts';

const CLIENTS = stress(10_000);
const REQUESTS_EACH = 10;
const AT_A_TIME = 250;
/** Connections of HTTP/2 proxies; those of HTTP/1.1 have as many as they need. */
const PROXIES = 4;

/** Slots fail as planned; on a busy machine, Redis may be late. */
const EXPECTED: readonly string[] = ['NG_SSR_SLOT_FAILED', 'NG_SSR_STORE_UNAVAILABLE'];
const SAME = '<p>The same for all.</p>';
const TARGETS = [
  ...['/', '/', '/about', '/about'],
  ...Array.from({ length: 40 }, (_, at) => `/stored/${at}`),
  ...Array.from({ length: 4 }, (_, at) => `/brief/${at}`),
  ...Array.from({ length: 4 }, (_, at) => `/private/${at}`),
];
const WITH_DICTIONARY = 'gzip, deflate, br, zstd, dcb, dcz';
const ACCEPTED = [
  ...['gzip', 'br', 'zstd', 'identity', 'gzip;q=0.5, br', '*', 'gzip, deflate, br, zstd'],
  ...[WITH_DICTIONARY, 'dcz, gzip'],
];
/** What a request is, and of how many in a hundred. */
const KINDS = {
  slots: 62,
  plain: 15,
  head: 5,
  range: 5,
  conditional: 5,
  leaves: 5,
  prefetch: 3,
} as const;
type Kind = keyof typeof KINDS;
const ALL_KINDS = (Object.keys(KINDS) as Kind[]).flatMap((kind) =>
  Array.from({ length: KINDS[kind] }, () => kind),
);

interface Server {
  readonly port: number;
  readonly protocol: SlotsProgramSettings['protocol'];
  readonly proxies: readonly Way[];
}

const tokensIn = (text: string): readonly string[] => text.match(TOKEN) ?? [];

class Traffic {
  readonly #random: Random;
  readonly #servers: readonly Server[];
  /** What clients without a cookie have got: for conditions, and as a dictionary. */
  readonly #tags = new Map<string, string>();
  #dictionary: Buffer = Buffer.alloc(0);
  readonly seen: Record<string, number> = {};

  constructor(random: Random, servers: readonly Server[]) {
    this.#random = random;
    this.#servers = servers;
  }

  async run(): Promise<void> {
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < CLIENTS) await this.#client(next++);
    };
    await this.#learn();
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
  }

  /** What any client can get of a server, decoded. */
  async readAll(server: Server): Promise<string> {
    const texts: string[] = [];
    const way = wayTo(server);
    for (const path of new Set(TARGETS)) {
      for (const encoding of ['identity', 'gzip', 'br', 'zstd', 'dcb', 'dcz']) {
        const got = (await way.ask({ method: 'GET', path, headers: this.#having(encoding) }))!;
        expect(got.status, `${path} ${encoding}`).toBe(200);
        texts.push(JSON.stringify(got.headers), decode(got, this.#dictionary).toString());
      }
    }
    way.close();
    return texts.join('\n');
  }

  #having(accepted: string): Record<string, string> {
    const digest = createHash('sha256').update(this.#dictionary).digest('base64');
    return { 'accept-encoding': accepted, 'available-dictionary': `:${digest}:` };
  }

  async #learn(): Promise<void> {
    const way = wayTo(this.#servers[0]!);
    const home = await way.ask({ method: 'GET', path: '/', headers: {} });
    expect(home!.headers['use-as-dictionary']).toBeDefined();
    this.#dictionary = home!.body;
    way.close();
  }

  async #client(client: number): Promise<void> {
    const random = this.#random;
    const server = random.pick(this.#servers);
    const isOwn = random.chance(0.5);
    const way = isOwn ? wayTo(server) : random.pick(server.proxies);
    for (let request = 0; request < REQUESTS_EACH; request++) {
      await this.#request(way, makePlan(client, request, random));
    }
    if (!isOwn) return;
    for (const token of tokensIn(way.wire ?? '')) {
      expect(token.startsWith(`token-${client}-of-`), `${token} came to ${client}`).toBe(true);
      this.#count('on the wire');
    }
    way.close();
  }

  async #request(way: Way, plan: Plan): Promise<void> {
    const random = this.#random;
    const kind = random.pick(ALL_KINDS);
    const path = random.pick(TARGETS);
    const isDifference = kind === 'plain' && random.chance(0.5);
    const accepted = isDifference ? WITH_DICTIONARY : random.pick(ACCEPTED);
    const tag = this.#tags.get(path);
    const isConditional = kind === 'conditional' || (kind === 'plain' && random.chance(0.3));
    const headers = {
      ...(isDifference || random.chance(0.5)
        ? this.#having(accepted)
        : { 'accept-encoding': accepted }),
      ...(kind !== 'plain' && { cookie: toCookie(plan) }),
      ...(kind === 'range' && { range: `bytes=${random.below(200)}-` }),
      ...(kind === 'prefetch' && { 'sec-purpose': 'prefetch' }),
      ...(isConditional && { 'if-none-match': tag ?? '"another"' }),
    };
    const method = kind === 'head' ? 'HEAD' : 'GET';
    const leavesAfterMs = kind === 'leaves' ? random.pick([0, 1, 5, 20, 100]) : undefined;
    const asked: Asked = { method, path, headers, leavesAfterMs };
    const got = await way.ask(asked);
    const about = `${kind} ${path} ${JSON.stringify(headers)}`;
    this.#count(kind);
    if (got !== undefined) this.#check(got, kind, path, plan, about);
  }

  #check(got: Got, kind: Kind, path: string, plan: Plan, about: string): void {
    const { status, headers } = got;
    const isPart = status === 206;
    const text = isPart ? got.body.toString('latin1') : decode(got, this.#dictionary).toString();
    const tokens = tokensIn(JSON.stringify(headers) + text);
    this.#count(`status ${status}`);
    const allowed = { prefetch: [200, 503], range: [200, 206, 416], plain: [200, 304] } as const;
    const statuses: readonly number[] = kind in allowed ? allowed[kind as 'plain'] : [200];
    expect(statuses, `${status} ${JSON.stringify(headers)} for ${about}`).toContain(status);
    const isPrivate = path.startsWith('/private/');
    const hasSlots =
      status === 200 && ['slots', 'conditional', 'leaves', 'prefetch'].includes(kind);
    if (!hasSlots) {
      // A page that is rendered for its client shows the cookie itself.
      const own = isPrivate && kind !== 'plain' ? [plan.token] : [];
      expect(own, about).toEqual(expect.arrayContaining([...tokens]));
      if (typeof headers['etag'] === 'string') this.#tags.set(path, headers['etag']);
      if (/^dc/.test(String(headers['content-encoding']))) this.#count('by dictionary');
      return;
    }
    const filled = SLOTS.filter((slot) => slot !== plan.fails);
    const own = Array.from(filled, () => plan.token);
    expect(tokens, about).toEqual(isPrivate ? [plan.token, ...own] : own);
    const names = Array.from(text.matchAll(/data-ng-ssr-slot="(\w+)"/g), ([, name]) => name);
    // A slot that failed has an element without data.
    expect(names.sort(), about).toEqual([...SLOTS].sort());
    expect(text.endsWith('</body></html>'), about).toBe(true);
    expect(headers['cache-control'], about).toMatch(/^private, no-/);
    expect(headers['etag'], about).toBeUndefined();
    // A difference to a dictionary would be compressed together with what is personal.
    expect(['gzip', 'br', 'zstd', undefined], about).toContain(headers['content-encoding']);
    this.#count(`filled, ${String(headers['content-encoding'])}`);
  }

  #count(what: string): void {
    this.seen[what] = (this.seen[what] ?? 0) + 1;
  }
}

const wayTo = ({ port, protocol }: Pick<Server, 'port' | 'protocol'>): Way =>
  protocol === 'h2' ? http2Way(port) : http1Way(port, true);

/** Starts a program; it ends with the test. */
async function start(settings: SlotsProgramSettings): Promise<Server> {
  const program = fileURLToPath(new URL('slots-program.ts', import.meta.url));
  const child = fork(program, [JSON.stringify(settings)], { execArgv: [] });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const [{ port }] = (await Promise.race([
    once(child, 'message'),
    exited.then(([code]) => Promise.reject(new Error(`the program ended with ${code}`))),
  ])) as [{ port: number }];
  const { protocol } = settings;
  const proxies =
    protocol === 'h2'
      ? Array.from({ length: PROXIES }, () => http2Way(port))
      : [http1Way(port, false)];
  onTestFinished(() => {
    for (const proxy of proxies) proxy.close();
  });
  return { port, protocol, proxies };
}

/** All that Redis holds, and how many pages are among it. */
async function dump({ redis }: RedisServer): Promise<{ text: string; pages: number }> {
  const bytes = redis.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
  const texts: string[] = [];
  let pages = 0;
  for await (const keys of redis.scanIterator({ COUNT: 1000 })) {
    for (const key of keys) {
      const type = await redis.type(key);
      const read = {
        string: async () => textsOf(await bytes.get(key)),
        zset: () => redis.zRange(key, 0, -1),
        hash: async () => Object.entries(await redis.hGetAll(key)).flat(),
        set: () => redis.sMembers(key),
        list: () => redis.lRange(key, 0, -1),
        // It has expired meanwhile.
        none: async () => [],
      };
      expect(Object.keys(read)).toContain(type);
      const values = (await read[type as keyof typeof read]()).map(String);
      texts.push(key, ...values);
      if (values.some((value) => value.includes(SAME))) pages++;
    }
  }
  return { text: texts.join('\n'), pages };
}

/** The text of a value, and that of a page in Brotli, which follows the length of the text. */
function textsOf(value: Buffer | null): string[] {
  if (value === null) return [];
  const text = value.toString('latin1');
  const length = /"length":\d+\}/.exec(text);
  if (length === null) return [value.toString()];
  const page = brotliDecompressSync(value.subarray(length.index + length[0].length));
  return [text, page.toString()];
}

/** What operators see of a server, in each of its threads. */
async function readOperatorPages(server: Server): Promise<string> {
  const texts: string[] = [];
  for (let connection = 0; connection < 8; connection++) {
    const way = wayTo(server);
    for (const path of ['', '/state', '/pages?limit=1000']) {
      const headers = {
        authorization: 'Bearer a-token-of-this-test',
        'accept-encoding': 'identity',
      };
      const got = (await way.ask({ method: 'GET', path: `/inspector${path}`, headers }))!;
      expect(got.status, path).toBe(200);
      texts.push(got.body.toString());
    }
    for (const path of ['/api/metrics', '/api/errors']) {
      const got = (await way.ask({ method: 'GET', path, headers: {} }))!;
      expect(got.status, path).toBe(200);
      texts.push(got.body.toString());
    }
    way.close();
  }
  return texts.join('\n');
}

test.skipIf(threadsMissing !== undefined || isRedisServerMissing())(
  `${CLIENTS * REQUESTS_EACH} requests of ${CLIENTS} clients, three processes and a Redis: no token in a wrong place`,
  async () => {
    console.log(`NG_SSR_FUZZ_SEED=${seed}`);
    const redis = await RedisServer.start();
    onTestFinished(() => redis.stop());
    const root = mkdtempSync(join(tmpdir(), 'ng-ssr-slots-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    mkdirSync(join(root, 'about'));
    for (const [name, title] of [
      ['index.html', 'home'],
      ['about/index.html', 'about'],
      ['index.csr.html', 'csr'],
    ]) {
      const html = `<html ng-server-context="ssg"><body><h1>${title}</h1>${SAME.repeat(200)}</body></html>`;
      writeFileSync(join(root, name!), html);
    }
    const logs = ['one', 'two', 'three'].map((name) => join(root, `${name}.log`));
    const settings = { folder: root, redis: redis.url };
    const servers = [
      await start({ ...settings, log: logs[0]!, protocol: 'http/1.1', threads: 1 }),
      await start({ ...settings, log: logs[1]!, protocol: 'http/1.1', threads: 2 }),
      await start({ ...settings, log: logs[2]!, protocol: 'h2', threads: 1 }),
    ];
    const traffic = new Traffic(new Random(seed), servers);
    const sinceMs = performance.now();
    await traffic.run();
    const seconds = Math.round((performance.now() - sinceMs) / 1000);
    console.log(
      `${CLIENTS * REQUESTS_EACH} requests in ${seconds} s: ${JSON.stringify(traffic.seen)}`,
    );
    for (const [what, count] of Object.entries(traffic.seen)) {
      if (!what.startsWith('status')) expect(count, what).toBeGreaterThan(CLIENTS / 100);
    }
    expect(Object.keys(traffic.seen)).toEqual(
      expect.arrayContaining([
        ...['gzip', 'br', 'zstd', 'undefined'].map((encoding) => `filled, ${encoding}`),
        ...['by dictionary', 'on the wire', 'status 304', 'status 206', ...Object.keys(KINDS)],
      ]),
    );

    for (const server of servers) {
      const all = await traffic.readAll(server);
      expect(all).toContain(SAME);
      expect(tokensIn(all)).toEqual([]);
      const shown = await readOperatorPages(server);
      expect(shown).toContain('/stored/');
      expect(tokensIn(shown)).toEqual([]);
      const codes = shown.match(/NG_SSR_[A-Z_]+(?= )/g) ?? [];
      expect(codes.filter((code) => !EXPECTED.includes(code))).toEqual([]);
    }
    const { text, pages } = await dump(redis);
    expect(pages).toBeGreaterThanOrEqual(40);
    expect(tokensIn(text)).toEqual([]);
    let logged = 0;
    for (const log of logs) {
      expect(existsSync(log), log).toBe(true);
      const lines = readFileSync(log, 'utf8');
      expect(tokensIn(lines)).toEqual([]);
      logged += lines.split('\n').length;
    }
    expect(logged).toBeGreaterThan(0.9 * CLIENTS * REQUESTS_EACH);
  },
  3_600_000,
);
