import { AsyncLocalStorage } from 'node:async_hooks';
import { Random, seed, stress } from '@ng-ssr/conformance/fuzz';
import { expect, test } from 'vitest';
import { ask, createCalledServer } from './called-server.ts';
import { Api, type Received } from './like-fetch/api.ts';
import { differencesOf } from './like-fetch/differences.ts';
import { callAndRead, type Outcome } from './like-fetch/outcome.ts';
import { type RandomCall, randomCall } from './like-fetch/random-call.ts';

/** How many calls are compared; NG_SSR_FUZZ_REQUESTS sets another number. */
const CALLS = Number(process.env['NG_SSR_FUZZ_REQUESTS'] ?? stress(1500));
/** How many are in flight at a time. */
const AT_ONCE = 8;

const TRANSPORTS = { network: {}, 'in process': { '/api/**': { inProcess: true } } } as const;

interface Seen {
  readonly got: Outcome;
  readonly received: readonly Received[];
}

test.each(['network', 'in process'] as const)(
  'random calls are those of fetch: %s',
  async (way) => {
    const random = new Random(seed);
    const runOutside = AsyncLocalStorage.snapshot();
    const plainFetch = ((...args: Parameters<typeof fetch>) =>
      runOutside(() => fetch(...args))) as typeof fetch;
    const callsFetch = ((...args: Parameters<typeof fetch>) => fetch(...args)) as typeof fetch;
    let url = '';
    const api = new Api(() => url.replace('127.0.0.1', 'localhost'));
    const differences: string[] = [];
    const page = async (): Promise<string> => {
      let count = 0;
      const next = async (): Promise<void> => {
        while (count < CALLS && differences.length < 20) {
          const number = count++;
          const call = randomCall(random);
          if (way === 'in process' && !isComparedInProcess(call)) continue;
          const see = async (side: string, fetch: typeof globalThis.fetch): Promise<Seen> => {
            const id = `id-${number}-${side}`;
            const got = await callAndRead(call, fetch, url, id, api);
            return { got, received: api.of(id) };
          };
          const [plain, made] = await Promise.all([
            see('plain', plainFetch),
            see('calls', callsFetch),
          ]);
          const [expected, actual] = [plain, made].map((seen) => toComparable(seen, way));
          const found = differencesOf(expected, actual);
          if (found.length > 0) differences.push(`${number} ${JSON.stringify(call)}`, ...found);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, next));
      api.close();
      return `${count}`;
    };
    const calls = { ...TRANSPORTS[way], 'http://localhost/**': {} };
    const { server, listen } = createCalledServer({
      ...{ pages: { '/': page }, calls, maxWaitMs: 280_000 },
    });
    server.use((request, response, next) =>
      request.url!.startsWith('/api/') ? api.answer(request, response) : next(),
    );
    url = (await listen()).replace('localhost', '127.0.0.1');
    const [status, text] = await ask(`${url}/`);
    expect(differences.join('\n'), `NG_SSR_FUZZ_SEED=${seed}`).toBe('');
    expect([status, Number(text)]).toEqual([200, CALLS]);
  },
);

/**
 * The client of node:http writes methods in upper case and reads reason phrases as Latin-1, and a short content is read
 * before the call is answered.
 */
function isComparedInProcess({ init, answering }: RandomCall): boolean {
  return init['method'] !== 'patch' && !/Sch\u00f6n|half/.test(JSON.stringify(answering));
}

/** Headers of a connection, of which there is none in process, and what would have the routes encode their content. */
const NOT_IN_PROCESS = ['connection', 'keep-alive', 'transfer-encoding', 'accept-encoding'];
/** An empty stream has this length, or is chunked. */
const EMPTY = 'content-length: 0';

/** What must be the same: all over the network; in process headers are in another order. */
function toComparable({ got, received }: Seen, way: keyof typeof TRANSPORTS): Seen {
  if (way === 'network') return { got, received };
  const toSent = ({ headers, ...rest }: Received): Received => ({
    ...rest,
    headers: headersOf(headers),
  });
  return { got: withoutConnection(got) as Outcome, received: received.map(toSent) };
}

function headersOf(raw: readonly string[]): readonly string[] {
  const headers = raw.flatMap((name, i) => (i % 2 ? [] : [`${name.toLowerCase()}: ${raw[i + 1]}`]));
  const isCompared = (header: string): boolean =>
    header !== EMPTY && !NOT_IN_PROCESS.some((name) => header.startsWith(name));
  return headers.filter(isCompared).sort();
}

function withoutConnection({ copy, headers, ...rest }: Outcome): Outcome {
  const kept = (headers as [string, string][] | undefined)?.filter(
    ([name]) => !NOT_IN_PROCESS.includes(name),
  );
  return {
    ...rest,
    headers: kept,
    ...(copy !== undefined && { copy: withoutConnection(copy as Outcome) }),
  };
}
