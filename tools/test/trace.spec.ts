import { beforeEach, expect, test } from 'vitest';
import { figuresOf } from '../trace/figures.ts';
import { instrument, RECORDER } from '../trace/instrument.ts';
import { Recorder, type Step } from '../trace/recorder.ts';

let recorder: Recorder;

beforeEach(() => {
  recorder = new Recorder();
  (globalThis as Record<string, unknown>)[RECORDER] = recorder;
});

/** Runs `main` of a module with probes, and returns its steps as `call name`. */
async function stepsOf(code: string): Promise<string[]> {
  const toPlace = (name: string): number => recorder.places.push({ file: 'module', name }) - 1;
  const probed = encodeURIComponent(instrument(code, toPlace));
  const module = (await import(/* @vite-ignore */ `data:text/javascript,${probed}`)) as {
    main(): unknown;
  };
  recorder.start();
  await module.main();
  return recorder.stop().map(({ kind, name }) => `${kind} ${name}`);
}

test('calls are followed into methods, accessors, constructors and arrows, and back', async () => {
  const steps = await stepsOf(`
    class Base { constructor() { this.own = () => ({}); } }
    class Page extends Base { constructor() { super(); } get size() { return 1; } }
    export const main = () => { const page = new Page(); page.own(); [page.size].map((each) => each); };
  `);
  expect(steps).toEqual([
    ...['call main', 'call new Page', 'call new Base', 'back new Page', 'back main'],
    ...['call callback of new Base', 'back main', 'call get Page.size', 'back main'],
    ...['call callback of main', 'back main'],
  ]);
});

test('an await gives control back to the caller, and resumes, also where it rejects', async () => {
  const steps = await stepsOf(`
    async function fails() { await null; throw new Error(); }
    async function waits() { try { await fails(); } catch {} after(); }
    function after() {}
    export async function main() { const waiting = waits(); after(); await waiting; }
  `);
  expect(steps).toEqual([
    ...['call main', 'call waits', 'call fails', 'back waits', 'back main'],
    ...['call after', 'back main', 'resume fails'],
    ...['resume waits', 'call after', 'back waits', 'resume main'],
  ]);
});

test('generators and loops over them go back and forth', async () => {
  const steps = await stepsOf(`
    function* some() { yield 1; }
    async function* later() { yield 1; }
    export async function main() { for (const each of some()); for await (const each of later()) {} last(); }
    function last() {}
  `);
  expect(steps).toEqual([
    ...['call main', 'call some', 'back main', 'resume some', 'back main'],
    ...['call later', 'back main', 'resume main', 'resume later', 'back main'],
    ...['resume main', 'call last', 'back main'],
  ]);
});

test('moves are changes of file between calls, and returns those to a file left before', () => {
  const step = (kind: Step['kind'], file: string): Step => ({ kind, file, name: '', depth: 0 });
  const calls = ['a', 'a', 'b', 'a', 'c', 'b', 'b'].map((file) => step('call', file));
  expect(figuresOf([...calls, step('back', 'a'), step('resume', 'd')])).toEqual({
    calls: 7,
    files: 3,
    moves: 4,
    returns: 2,
    reads: 0,
  });
});

test('reads are calls of members of an exchange', () => {
  const call = (file: string, name: string): Step => ({ kind: 'call', file, name, depth: 0 });
  const steps = [
    call('node/adapter/node-exchange', 'new NodeExchange'),
    call('node/adapter/node-exchange', 'NodeExchange.header'),
    call('node/adapter/node-exchange', 'hostOf'),
    call('fetch/fetch-exchange', 'get FetchExchange.method'),
    call('core/host/site', 'SiteReader.read'),
  ];
  expect(figuresOf(steps).reads).toBe(2);
});
