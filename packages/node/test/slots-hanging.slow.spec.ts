import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Agent, request } from 'node:http';
import { stress } from '@ng-ssr/conformance/fuzz';
import {
  createNodeSsrServer,
  type SlotEvent,
  type SlotOptions,
  withSlots,
} from '@ng-ssr/node/server';
import { expect, onTestFinished, test } from 'vitest';
import { writeBuiltSite } from '../../core/test/built-site.ts';
import { BATCHES, leastGrowth } from '../../core/test/render/held-bytes.ts';

const FILLS = stress(10_000);
const CONNECTIONS = 100;
/** Less than a fifth of what a response needs: its Request, signal, timer and socket buffers. */
const MOST_BYTES_EACH = 200;
const PAGE = `<html><body>${'<p>The same for all.</p>'.repeat(100)}</body></html>`;

/** Resolves with the text at the end, or when the client has left at the first bytes. */
function ask(port: number, path: string, agent: Agent, leaves: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { cookie: 'session=ann', 'accept-encoding': 'identity' };
    const sent = request({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
      let text = '';
      response.on('error', (error) => leaves || reject(error));
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (leaves) sent.destroy();
      });
      response.on('close', () => resolve(text));
    });
    sent.on('error', reject);
    sent.end();
  });
}

test(`${FILLS} fills that hang end at their time, or with their client, and leave a flat heap`, async () => {
  const running = new Set<AbortSignal>();
  const results = { filled: 0, failed: 0, timeout: 0, skipped: 0 };
  const count = (message: unknown): void => {
    const { slot, result } = message as SlotEvent;
    if (slot !== 'name') results[result]++;
  };
  subscribe('ng-ssr:slot', count);
  onTestFinished(() => void unsubscribe('ng-ssr:slot', count));
  /** Every fifth call ends: with five that hang in a row, a slot would not be called any more. */
  const hanging = (connection: number): SlotOptions => {
    let calls = 0;
    return {
      routes: [`/page/${connection}`],
      fill: (_request, { signal }) => {
        if (++calls % 5 === 0) return calls;
        running.add(signal);
        signal.addEventListener('abort', () => running.delete(signal));
        return new Promise(() => undefined);
      },
      timeoutMs: 50,
    };
  };
  const ssr = createNodeSsrServer({
    engine: () => new Response(PAGE, { headers: { 'content-type': 'text/html' } }),
    allowedHosts: ['127.0.0.1'],
    files: { folder: writeBuiltSite({ 'browser/index.csr.html': PAGE }) },
    routeRules: { '/**': { sMaxAge: 600 } },
    features: [
      withSlots({
        ...Object.fromEntries(
          Array.from({ length: CONNECTIONS }, (_, at) => [`cart${at}`, hanging(at)]),
        ),
        name: { fill: () => 'ann' },
      }),
    ],
    onError: ({ code, message }) => {
      expect(`${code} ${message}`).toMatch(
        /^NG_SSR_SLOT_FAILED the slot cart(\d+) of \/page\/\1 keeps its fallback: it took longer than 50 ms$/,
      );
    },
  });
  const { port } = await ssr.listen({
    ...{ port: 0, host: '127.0.0.1', announce: false, shutdown: false },
  });
  onTestFinished(() => ssr.close());
  const askAll = async (most: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true });
    let asked = 0;
    const client = async (at: number): Promise<void> => {
      while (asked < most) {
        const leaves = asked++ % 4 === 0;
        const text = await ask(port, `/page/${at}`, agent, leaves);
        expect(text).toContain('>"ann"\n</script>');
        if (!leaves) expect(text.endsWith('</body></html>')).toBe(true);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, (_, at) => client(at)));
    agent.destroy();
    await expect.poll(() => running.size).toBe(0);
  };
  await askAll(10 * CONNECTIONS);
  results.timeout = 0;
  const batch = FILLS / BATCHES;
  const most = batch * MOST_BYTES_EACH;
  const grown = await leastGrowth(() => askAll(batch), most);
  expect(grown).toBeLessThan(most);
  // Three of four clients stay, and four of five fills hang: not all of these need be of clients that stay.
  expect(results.timeout).toBeGreaterThanOrEqual(FILLS * 0.45);
  expect(results).toMatchObject({ failed: 0, skipped: 0 });
}, 300_000);
