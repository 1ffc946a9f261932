import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureCost } from '../src/measure/load.ts';
import { get } from '../src/measure/request.ts';
import { readOutput, requireWrk } from '../src/measure/wrk.ts';

const OUTPUT = `Running 6s test @ http://127.0.0.1:4000/
  1 threads and 20 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   412.50us    1.20ms  24.01ms   97.50%
    Req/Sec    27.30k     2.11k   30.99k    89.99%
  Latency Distribution
     50%  342.00us
     75%  401.00us
     90%    1.03ms
     99%    4.10ms
  19113 requests in 702.13ms, 208.73MB read
Requests/sec:  27221.45
Transfer/sec:    297.28MB
`;

it('reads what wrk prints', () => {
  expect(readOutput(OUTPUT)).toEqual({
    requests: 19113,
    bytes: 208.73 * 2 ** 20,
    seconds: 0.70213,
    p50Ms: 0.342,
    p99Ms: 4.1,
  });
  expect(readOutput('  3 requests in 1.01m, 512.00B read')).toMatchObject({
    bytes: 512,
    seconds: 60.6,
  });
  expect(readOutput('unable to connect').requests).toBeNaN();
});

it('names the command that installs wrk', () => {
  const path = process.env['PATH'];
  process.env['PATH'] = '/nowhere';
  try {
    expect(requireWrk).toThrow('apt-get install wrk');
  } finally {
    process.env['PATH'] = path;
  }
});

describe.skipIf(isMissing())('a load', () => {
  const body = Buffer.alloc(5000, 'x');
  let server: Server;
  let origin = '';

  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/missing') response.writeHead(404);
      else if (request.headers['if-none-match'] !== undefined) response.writeHead(304);
      response.end(response.statusCode === 200 ? body : undefined);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('counts only answers of the size that one of them has on the wire', async () => {
    const target = { origin, pid: process.pid };
    const { wireBytes } = await get(origin);
    const head = wireBytes - body.byteLength;
    expect(head).toBeGreaterThan(100);
    expect(head).toBeLessThan(300);

    const whole = { path: '/', headers: {}, wireBytes };
    const cost = await measureCost(target, whole, { seconds: 0.3 });
    expect(cost.microseconds).toBeGreaterThan(0);
    expect(cost.serverCores).toBeGreaterThan(0);
    expect(cost.generatorCores).toBeGreaterThan(0);

    const revalidation = { ...whole, headers: { 'if-none-match': '"x"' } };
    await expect(measureCost(target, revalidation, { seconds: 0.3 })).rejects.toThrow(
      `instead of ${wireBytes}`,
    );
    const missing = { ...whole, path: '/missing' };
    await expect(measureCost(target, missing, { seconds: 0.3 })).rejects.toThrow('Non-2xx');
  });
});

/** With CI=true the suite fails without wrk; elsewhere these are skipped. */
function isMissing(): boolean {
  if (process.env['CI'] === 'true') return false;
  try {
    requireWrk();
    return false;
  } catch (error) {
    console.warn((error as Error).message);
    return true;
  }
}
