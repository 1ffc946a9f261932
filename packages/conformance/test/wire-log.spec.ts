import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type WireRecord, WireLog } from '../src/results/wire-log.ts';

test('requests that overlap stay in the order in which they began, and a body is written once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-wire-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const log = new WireLog();
  const startTurn = log.case('files › one');
  const [first, second] = [startTurn(), startTurn()];
  first.sent('GET /1');
  second.sent(Buffer.from([0xe9]));
  const response = { status: 200, headers: [['Age', '0']], body: Buffer.from('page') } as const;
  second.received(response);
  first.received(response);
  await log.write(folder, 'a suite', 'after-middleware');
  const text = readFileSync(join(folder, 'a-suite.after-middleware.json'), 'utf8');
  const { cases, bodies } = JSON.parse(text) as WireRecord;
  const [[digest, body]] = Object.entries(bodies) as [[string, string]];
  expect(Buffer.from(body, 'base64').toString()).toBe('page');
  const received = [{ status: 200, headers: [['Age', '0']], body: digest }];
  expect(cases).toEqual({
    'files › one': [
      { sent: ['GET /1'], received },
      { sent: ['é'], received },
    ],
  });
  expect(Object.keys(bodies)).toHaveLength(1);
});
