import { once } from 'node:events';
import { headerOf, type ParsedResponse, RawConnection, requestBytes } from '@ng-ssr/conformance';
import { afterAll, beforeAll, beforeEach, describe, expect, test, type TestContext } from 'vitest';
import { isShort, Random, seed as fuzzSeed } from '@ng-ssr/conformance/fuzz';
import { writeBuiltFolder } from './built-folder.ts';
import type { ChildSettings } from './child.ts';
import { drainUnderLoad } from './drain-under-load.ts';
import { ask } from './load.ts';
import { NO_SIGNALS } from './no-signals.ts';
import { type Child, startChild } from './start-child.ts';

/** NG_SSR_SHUTDOWN_SEED repeats a run. */
const seed = Number(process.env['NG_SSR_SHUTDOWN_SEED'] ?? fuzzSeed);

/** A runtime other than Node, and what its servers cannot do, each with the reason. */
export interface ShutdownRuntime {
  readonly command: readonly [string, ...string[]];
  /** Why it cannot run on this machine. */
  readonly missing: string | undefined;
  /** Requests that were sent in one go are answered one after the other. */
  readonly pipelining?: string;
  /** A connection is closed behind an answer that says so. */
  readonly closing?: string;
  /** A request whose head has come in part is awaited. */
  readonly partialHeads?: string;
  /** How many threads of its process serve. Default: 1. */
  readonly threads?: number;
  /** It is known how many requests were cut off. */
  readonly counting?: string;
  /** Whether its suite is whole in a short run, too: others leave out what the core's shutdown decides alone. */
  readonly isReference?: boolean;
}

/** Many times what a probe takes, on a busy machine too. */
const GRACE_MS = 2000;

export const NODE: ShutdownRuntime = { command: [process.execPath], missing: undefined };

/**
 * Defines the tests of a server that is a process of its own and gets signals.
 *
 * @param program - Runs the server: see child.ts.
 */
export function defineShutdownSuite(name: string, program: URL, runtime = NODE): void {
  const { command, threads } = runtime;
  const missing = runtime.missing ?? NO_SIGNALS;
  const isWhole = !isShort || runtime.isReference === true;
  /** Each thread has its own. */
  const onClose = 'onClose\n'.repeat(threads ?? 1);
  describe(`shutdown ${name}`, () => {
    let built: ReturnType<typeof writeBuiltFolder>;
    beforeAll(() => void (built = writeBuiltFolder()));
    beforeEach((context) => context.skip(missing !== undefined, missing));
    afterAll(() => built.remove());

    const start = async (
      { onTestFinished }: TestContext,
      shutdown?: ChildSettings['shutdown'],
      more: Omit<ChildSettings, 'browserFolder' | 'shutdown'> = {},
    ): Promise<Child> => {
      const settings = {
        browserFolder: built.folder,
        ...(threads !== undefined && { threads }),
        ...(shutdown !== undefined && { shutdown }),
        ...more,
      };
      const child = await startChild(program, settings, command);
      onTestFinished(() => void child.process.kill('SIGKILL'));
      return child;
    };

    // `npm run drain -w packages/node` does so fifty times.
    for (const [run, graceMs] of (isWhole ? [0, GRACE_MS] : [0]).entries()) {
      const name = `no request is lost under load (grace ${graceMs} ms, seed ${seed + run})`;
      test(name, async () => {
        const random = new Random(seed + run);
        const settings = {
          browserFolder: built.folder,
          shutdown: { graceMs },
          ...(threads !== undefined && { threads }),
        };
        const result = await drainUnderLoad(program, settings, random, command);
        const { partialHeads } = runtime;
        const problems = result.problems.filter(
          (problem) => partialHeads === undefined || !problem.startsWith('a slow sender'),
        );
        expect(problems).toEqual([]);
        expect(result).toMatchObject({ lost: [], others: new Map() });
        expect(result.exit).toMatchObject({ code: 0, errors: '' });
        expect(result.answeredLate).toBeGreaterThan(0);
        if (graceMs > 0) expect([...result.probes]).toContain('/readyz 503');
        expect([...result.probes]).not.toContain('/livez 503');
      });
    }

    // Each has a server of its own, and waits for it most of the time.
    test.concurrent(
      'probes pass by middleware that hangs; within the grace it is not ready, answers, and closes after each answer',
      async (context) => {
        const { expect } = context;
        const child = await start(context, { graceMs: 60_000 });
        const { port } = child;
        for (const path of ['/livez', '/readyz']) {
          for (const method of ['GET', 'HEAD']) {
            const client = await Client.open(context, port);
            const answer = await client.ask(path, { host: '10.0.0.7' }, method);
            expect(answer.status).toBe(200);
            expect(headerOf(answer, 'cache-control')).toBe('no-store');
            expect(String(answer.body)).toBe(method === 'GET' ? 'ok\n' : '');
            client.end();
          }
        }

        const kept = await Client.open(context, port);
        expect(headerOf(await kept.ask('/about'), 'connection')).not.toBe('close');
        child.process.kill('SIGTERM');
        await expect.poll(() => ask(port, false, '/readyz')).toBe(503);
        expect(await ask(port, false, '/livez')).toBe(200);
        for (const path of ['/', '/rendered', '/large.bin', '/api/echo']) {
          const client = path === '/' ? kept : await Client.open(context, port);
          const answer = await client.ask(path, undefined, path === '/api/echo' ? 'POST' : 'GET');
          expect(answer.status).toBe(200);
          expect(headerOf(answer, 'connection')).toBe('close');
          if (runtime.closing === undefined) await client.closed;
        }
      },
    );

    test.concurrent(
      'requests in flight are answered, and those that were sent in one go',
      async (context) => {
        const { expect } = context;
        const child = await start(context);
        const client = await Client.open(context, child.port);
        const both = await Client.open(context, child.port);
        // Longer than what counts as quiet: they must be in flight at the signal, on a busy machine too.
        client.send('/rendered?ms=3000');
        if (runtime.pipelining === undefined) both.send('/rendered?ms=400', '/rendered?ms=3000');
        // A render has begun when a later request has been answered.
        expect(await ask(child.port, false, '/rendered')).toBe(200);
        child.process.kill('SIGTERM');
        if (runtime.pipelining === undefined) {
          expect(headerOf(await both.read(), 'connection')).toBe('keep-alive');
          expect(headerOf(await both.read(), 'connection')).toBe('close');
        }
        expect(headerOf(await client.read(), 'connection')).toBe('close');
        expect(await child.exited).toMatchObject({ code: 0, errors: '' });
      },
    );

    test.concurrent(
      'a request that hangs is cut when time is up, with 1 and a line',
      async (context) => {
        const { expect } = context;
        const child = await start(context, { timeoutMs: 300 });
        const client = await Client.open(context, child.port);
        client.send('/hang');
        expect(await ask(child.port, false, '/rendered')).toBe(200);
        child.process.kill('SIGINT');
        const { code, errors } = await child.exited;
        expect(code).toBe(1);
        const count = runtime.counting === undefined ? ': 1' : '';
        expect(errors).toBe(`ng-ssr: shutdown: requests cut off after 300 ms${count}\n`);
        await client.closed;
      },
    );

    test.concurrent(
      'nothing is logged of clients that leave within a large file',
      async (context) => {
        const { expect } = context;
        const child = await start(context, undefined, { maxFileBytes: 1024 * 1024 });
        for (let round = 0; round < 5; round++) {
          const clients = await Promise.all(
            Array.from({ length: 10 }, () => Client.open(context, child.port)),
          );
          for (const client of clients) client.send('/large.bin');
          await Promise.all(clients.map((client) => client.firstByte()));
          for (const client of clients) client.destroy();
        }
        expect(await ask(child.port, false, '/rendered')).toBe(200);
        child.process.kill('SIGTERM');
        expect(await child.exited).toMatchObject({ code: 0, errors: '' });
      },
    );

    test.concurrent(
      'onClose is called when the last request is answered, and awaited',
      async (context) => {
        const { expect } = context;
        const child = await start(context, undefined, { onClose: 'end', isLogging: true });
        const client = await Client.open(context, child.port);
        client.send('/rendered?ms=3000');
        expect(await ask(child.port, false, '/about')).toBe(200);
        child.process.kill('SIGTERM');
        expect((await client.read()).status).toBe(200);
        // What is logged is written before it, to the last line.
        const { code, errors } = await child.exited;
        expect(code).toBe(0);
        const expected = `/about 200\n/rendered?ms=3000 200\n${onClose}`;
        // A thread without requests does not wait for the others.
        if (threads === undefined) expect(errors).toBe(expected);
        else expect(errors.split('\n').sort()).toEqual(expected.split('\n').sort());
      },
    );

    test.concurrent(
      'onClose that fails is reported once, and the exit code is 1',
      async (context) => {
        const { expect } = context;
        const child = await start(context, undefined, { onClose: 'fail' });
        child.process.kill('SIGTERM');
        const { code, errors } = await child.exited;
        expect(code).toBe(1);
        expect(errors).toMatch(/ng-ssr: NG_SSR_CLOSE_FAILED: onClose failed /);
        expect(errors).toContain('the pool does not close');
        expect(errors.split('onClose\n')).toHaveLength((threads ?? 1) + 1);
        expect(errors.split('NG_SSR_CLOSE_FAILED')).toHaveLength((threads ?? 1) + 1);
      },
    );

    if (isWhole) {
      test.concurrent('onClose has until time is up', async (context) => {
        const { expect } = context;
        const child = await start(context, { timeoutMs: 1500 }, { onClose: 'hang' });
        child.process.kill('SIGTERM');
        expect(await child.exited).toMatchObject({
          code: 1,
          errors: `${onClose}ng-ssr: shutdown: close() did not finish within 1500 ms\n`,
        });
      });

      test.concurrent(
        'a second signal ends it at once, and an echo of the first does not',
        async (context) => {
          const { expect } = context;
          const child = await start(context, { timeoutMs: 60_000 });
          const client = await Client.open(context, child.port);
          client.send('/hang');
          expect(await ask(child.port, false, '/rendered')).toBe(200);
          child.process.kill('SIGINT');
          child.process.kill('SIGTERM');
          await expect.poll(() => ask(child.port, false, '/')).toBe('refused');
          expect(child.process.exitCode).toBeNull();
          const again = setInterval(() => child.process.kill('SIGTERM'), 100);
          const { code, signal } = await child.exited;
          clearInterval(again);
          expect({ code, signal }).toEqual({ code: 143, signal: null });
        },
      );
    }

    test.concurrent('shutdown: false leaves signals alone', async (context) => {
      const { expect } = context;
      const child = await start(context, false);
      child.process.kill('SIGTERM');
      const [code, signal] = (await once(child.process, 'exit')) as [unknown, unknown];
      expect({ code, signal }).toEqual({ code: null, signal: 'SIGTERM' });
    });
  });
}

/** A connection that asks and reads. */
class Client {
  readonly #connection: RawConnection;

  private constructor(connection: RawConnection) {
    this.#connection = connection;
  }

  static async open({ onTestFinished }: TestContext, port: number): Promise<Client> {
    const client = new Client(await RawConnection.open(port));
    onTestFinished(() => client.#connection.destroy());
    return client;
  }

  firstByte(): Promise<unknown> {
    return this.#connection.firstByte();
  }

  destroy(): void {
    this.#connection.destroy();
  }

  get closed(): Promise<void> {
    return this.#connection.closed;
  }

  send(...targets: string[]): void {
    const headers = { host: '127.0.0.1' };
    const requests = targets.map((target) => requestBytes({ target, headers }));
    this.#connection.write(requests.join(''));
  }

  read(method?: string): Promise<ParsedResponse> {
    return this.#connection.read(method);
  }

  ask(
    target: string,
    headers: Record<string, string> = { host: '127.0.0.1' },
    method = 'GET',
  ): Promise<ParsedResponse> {
    this.#connection.write(requestBytes({ target, headers, method }));
    return this.read(method);
  }

  end(): void {
    this.#connection.end();
  }
}
