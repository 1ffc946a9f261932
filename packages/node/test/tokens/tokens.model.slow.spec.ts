import { isShort, Random, seed } from '@ng-ssr/conformance/fuzz';
import { expect, onTestFinished, test } from 'vitest';
import { isRedisServerMissing, RedisServer } from '../../../redis/test/redis-server.ts';
import { TokenApi } from './api.ts';
import { type Asked, ASKED, SENT, TOKEN } from './pages.ts';
import { startTokenServer, type TokenServer } from './visitors.ts';

/** Set NG_SSR_FUZZ_REQUESTS for another number. */
const REQUESTS = Number(process.env['NG_SSR_FUZZ_REQUESTS'] ?? (isShort ? 2000 : 100_000));
const CLIENTS = 24;
/** Pages are asked for again and again for a time, then others: a short run has hundreds, some of each kind. */
const TARGETS = 40;
const REQUESTS_PER_TARGETS = 250;

class Traffic {
  readonly #random: Random;
  readonly #api: TokenApi;
  readonly #other: TokenApi;
  readonly #servers: readonly TokenServer[];
  /** Which request has seen a token that the API has issued. */
  readonly #readers = new Map<string, number>();
  #targets: readonly string[] = [];
  #sent = 0;
  readonly seen = { hits: 0, own: 0, issued: 0, batches: 0, redirects: 0, refused: 0, kept: 0 };

  constructor(
    random: Random,
    apis: readonly [TokenApi, TokenApi],
    servers: readonly TokenServer[],
  ) {
    this.#random = random;
    [this.#api, this.#other] = apis;
    this.#servers = servers;
  }

  /** Sends requests, as many clients at a time do; each waits for its answer. */
  async run(requests: number): Promise<void> {
    const client = async (): Promise<void> => {
      while (this.#sent < requests) {
        if (this.#sent % REQUESTS_PER_TARGETS === 0) {
          this.#targets = Array.from({ length: TARGETS }, () => this.#target());
        }
        await this.#ask(++this.#sent);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
  }

  #target(): string {
    const random = this.#random;
    const kind = random.pick(['open', 'closed', 'life', 'ruled']);
    const paths = ['/echo', '/forwarded', '/joined', '/limited'];
    // A page that says that it is for everybody shows nothing that was issued to one client.
    if (kind === 'closed' || kind === 'life') paths.push('/session');
    const path = (): string => {
      const end = random.pick(paths);
      if (random.chance(0.2)) return `/redirect?to=${random.pick(['', this.#other.origin])}${end}`;
      if (!random.chance(0.15)) return end;
      const inner: Asked = [random.pick(ASKED), random.pick(SENT), '/echo'];
      return `/inner/${random.below(3)}?${queryOf([inner])}`;
    };
    const calls = Array.from({ length: 1 + random.below(2) }, (): Asked => {
      return [random.pick(ASKED), random.pick(SENT), path()];
    });
    return `/${kind}/${random.below(5)}?${queryOf(calls)}`;
  }

  async #ask(number: number): Promise<void> {
    const random = this.#random;
    const own = tokenOf(number);
    const cookies = [
      ...(random.chance(0.25) ? [`sid=${own}`] : []),
      ...(random.chance(0.3) ? [`currency=${random.pick(['EUR', 'CHF'])}`] : []),
    ];
    const server = random.pick(this.#servers);
    const host = random.pick([
      ...['shop.example', 'shop.example', `shop.example:${server.port}`],
      ...(random.chance(0.2) ? ['shop.example:1', `shop.example:${1 + random.below(300)}`] : []),
    ]);
    const headers = {
      host,
      ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
      ...(random.chance(0.1) && { authorization: `Bearer ${own}` }),
      ...(random.chance(0.05) && { 'x-session': own }),
      ...(random.chance(0.05) && { origin: `https://${own}example`, baggage: `id=${own}` }),
    };
    const target = random.pick(this.#targets);
    const page = await server.get(target, headers);
    const about = `${JSON.stringify(headers)} ${decodeURIComponent(target)}: ${page.all}`;
    if (page.status === 400) {
      // The server may refuse ports that are not its own.
      expect(host, about).not.toBe('shop.example');
      this.seen.refused++;
      return;
    }
    expect(page.status, about).toBe(200);
    this.#check(page, number, headers, about);
    const [, shown] = /^<host shop\.example(:\d+)?>/.exec(page.text) ?? [];
    const ports = [undefined, `:${server.port}`, host.slice('shop.example'.length)];
    expect(ports, about).toContain(shown);
  }

  #check(
    { all, text, isHit }: Awaited<ReturnType<TokenServer['get']>>,
    number: number,
    headers: object,
    about: string,
  ): void {
    const { seen } = this;
    const tokens: readonly string[] = all.match(TOKEN) ?? [];
    const own = tokenOf(number);
    const hasOwn = JSON.stringify(headers).includes(own);
    const foreign = tokens.filter((token) => !hasOwn || token !== own);
    expect(foreign, about).toEqual([]);
    for (const issued of all.match(/issued\d+\./g) ?? []) {
      expect(this.#readers.get(issued) ?? number, about).toBe(number);
      this.#readers.set(issued, number);
      seen.issued++;
    }
    const currency = /currency=(\w+)/.exec(text)?.[1];
    if (currency !== undefined && !isHit) {
      expect(JSON.stringify(headers), about).toContain(`currency=${currency}`);
    }
    if (isHit) seen.hits++;
    if (tokens.length > 0) seen.own++;
    if (/ of \w+,\w+/.test(text)) seen.batches++;
    if (about.includes('/redirect?to=')) seen.redirects++;
    if (about.includes('["kept"')) seen.kept++;
  }
}

const tokenOf = (request: number): string => `tok${request}-0123456789.`;

function queryOf(calls: readonly Asked[]): string {
  return calls.map((call) => `call=${encodeURIComponent(JSON.stringify(call))}`).join('&');
}

test.skipIf(isRedisServerMissing())(
  'visitors of two servers, one with render threads, that share a Redis: no visitor gets the token of another one',
  async () => {
    console.log(`NG_SSR_FUZZ_SEED=${seed}`);
    const random = new Random(seed);
    const redis = await RedisServer.start();
    onTestFinished(() => redis.stop());
    const apis = [await TokenApi.start(random), await TokenApi.start(random)] as const;
    onTestFinished(() => {
      for (const each of apis) each.stop();
    });
    const settings = { api: apis[0].origin, redis: redis.url };
    const servers = await Promise.all(
      [0, 2].map((workers) => startTokenServer({ ...settings, workers })),
    );
    const traffic = new Traffic(random, apis, servers);
    await traffic.run(REQUESTS);
    const asked = apis.map((each) => each.asked);
    console.log(
      `${REQUESTS} requests, ${asked.join(' and ')} calls: ${JSON.stringify(traffic.seen)}`,
    );
    const { hits, own, issued, batches, redirects, kept } = traffic.seen;
    // Each kind has been seen, and not by chance.
    const fewest = Math.min(hits, own, issued, batches, redirects, kept);
    expect(fewest).toBeGreaterThan(REQUESTS / 500);
    // Pages of one program have answered the other.
    expect(await redis.redis.dbSize()).toBeGreaterThan(10);
  },
  Math.max(300_000, REQUESTS * 20),
);
