import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Ask, expectPages, type RawAnswer } from './ask-pages.ts';
import { type LambdaRequest, type LambdaSource, SOURCES } from './lambda-events.ts';
import { type Invocation, type LambdaFunction, startLambda } from './lambda-function.ts';
import { noteRun } from './run-log.ts';
import { copyFrom, shopFolder } from './site-folder.ts';

const MODULES = join(import.meta.dirname, '../../../../node_modules');
const PURGE_TOKEN = 'a-token-for-the-tests';

/** An answer as AWS's documents describe it. */
interface Result {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>;
  readonly cookies?: readonly string[];
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
}

function toAnswer({
  statusCode,
  headers,
  multiValueHeaders,
  body = '',
  ...rest
}: Result): RawAnswer {
  const lists = Object.entries(multiValueHeaders ?? {});
  return {
    status: statusCode,
    headers: {
      ...headers,
      ...Object.fromEntries(lists.map(([name, values]) => [name, values.join(', ')])),
    },
    body: Buffer.from(body, rest.isBase64Encoded === true ? 'base64' : 'utf8'),
  };
}

const FUNCTION_URL = SOURCES['a function URL']!;

describe.each(['koa', 'fetch'])('lambda.mjs of @ng-ssr/%s', (adapter) => {
  const start = async (env: Readonly<Record<string, string>> = {}): Promise<LambdaFunction> => {
    const folder = shopFolder();
    copyFrom('lambda.md', 'lambda.mjs', folder, adapter);
    symlinkSync(MODULES, join(folder, 'node_modules'));
    const name = adapter === 'fetch' ? 'hono' : adapter;
    return startLambda(folder, { ADAPTER: name, PURGE_TOKEN, ...env });
  };

  const invoke = async (
    lambda: LambdaFunction,
    { toEvent, host }: LambdaSource,
    request: Partial<LambdaRequest>,
  ): Promise<RawAnswer & Pick<Invocation<Result>, 'renders'>> => {
    const event = toEvent({ method: 'GET', host, target: '/', headers: {}, ...request });
    const { result, renders } = await lambda.invoke<Result>(event);
    const answer = toAnswer(result);
    noteRun({ asked: `${request.target ?? '/'} ${answer.status}` });
    return { ...answer, renders };
  };

  test('answers the events of every source', async () => {
    const hosts = [...new Set(Object.values(SOURCES).map(({ host }) => host))].join(',');
    const lambda = await start({ NG_ALLOWED_HOSTS: hosts });
    for (const source of Object.values(SOURCES)) {
      const ask: Ask = (target, headers = {}) => invoke(lambda, source, { target, headers });
      await expectPages(ask, { hasHostCheck: false });
      const [script] = /main-[^"]+\.js/.exec(String((await ask('/')).body))!;
      const zstd = await ask(`/${script}`, { 'accept-encoding': 'zstd' });
      // The magic number of RFC 8878: bytes that were taken for text would have lost it.
      expect(zstd.body.subarray(0, 4).toString('hex')).toBe('28b52ffd');
      const queried = await ask('/products/4?note=a%20%26%20b', { cookie: 'a=1; user=ada' });
      expect(queried.status).toBe(200);
      const evil = await invoke(lambda, source, { host: 'evil.example' });
      // Without details: Lambda has no NODE_ENV, which lambda.mjs sets.
      expect([evil.status, String(evil.body)]).toEqual([400, '400 Bad Request\n']);
    }
  });

  test('allows the hosts that AWS gives a function in its region, and no other', async () => {
    const lambda = await start();
    const statusOf = async (host: string) => (await invoke(lambda, FUNCTION_URL, { host })).status;
    expect(await statusOf('abc.lambda-url.eu-west-1.on.aws')).toBe(200);
    expect(await statusOf('abc.execute-api.eu-west-1.amazonaws.com')).toBe(200);
    expect(await statusOf('abc.lambda-url.us-east-1.on.aws')).toBe(400);
    expect(await statusOf('abc.lambda-url.eu-west-1.on.aws.evil.example')).toBe(400);
  });

  test('leaves no refresh to the next event', async () => {
    const lambda = await start();
    const target = '/products/3';
    const ask = () => invoke(lambda, FUNCTION_URL, { target });
    expect((await ask()).headers['cache-status']).toContain('fwd=uri-miss; stored');
    const purged = await invoke(lambda, FUNCTION_URL, {
      method: 'POST',
      target: '/_cache/purge',
      headers: { authorization: `Bearer ${PURGE_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ path: target }),
    });
    expect(purged.status).toBe(200);
    const stale = await ask();
    // Below zero: the page is stale.
    expect(stale.headers['cache-status']).toContain('hit; ttl=-');
    expect(stale.renders).toBe(0);
    expect((await ask()).headers['cache-status']).toMatch(/hit; ttl=\d/);
  });
});
