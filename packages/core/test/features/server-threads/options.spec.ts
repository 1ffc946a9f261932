import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import { type ServerThreadsOptions, type SsrError, withServerThreads } from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';

const engine = () => null;

const create = (options?: ServerThreadsOptions, onError?: (error: SsrError) => void) =>
  new SsrHandler({ engine, onError, features: [withServerThreads(options)] });

it.each([
  [{ threads: 0 }, 'withServerThreads.threads is 0', 'a whole number from 1 to '],
  [{ threads: 1.5 }, 'withServerThreads.threads is 1.5', "cores), or 'auto'"],
  [{ threads: 'all' }, 'withServerThreads.threads is "all"', 'a whole number from 1 to '],
  [{ thread: 1 }, 'withServerThreads.thread. Did you mean', 'withServerThreads.threads'],
  [2, 'withServerThreads is 2', 'an object of options, as in { threads: 2 }'],
  [null, 'withServerThreads is null', 'an object of options, as in { threads: 2 }'],
])('refuses %j', (options, name, allowed) => {
  expect(() => create(options as ServerThreadsOptions)).toThrow(name);
  expect(() => create(options as ServerThreadsOptions)).toThrow(allowed);
});

it('a server without the feature has no threads', async () => {
  const handler = new SsrHandler({ engine });
  expect(handler.threads).toBeUndefined();
  await handler.close();
});

it('where nothing listens, a number is refused, auto is reported, and one thread is nothing', () => {
  const reported: string[] = [];
  const onError = ({ message }: SsrError): void => void reported.push(message);
  expect(() => create({ threads: 2 }).threads!.refuse()).toThrow(
    'withServerThreads() is not available: only listen() of a server starts threads; use node:cluster',
  );
  create({ threads: 1 }, onError).threads!.refuse();
  expect(reported).toEqual([]);
  create({}, onError).threads!.refuse();
  // With one core there is nothing to refuse.
  const notice = expect.stringContaining('only listen() of a server starts threads') as string;
  expect(reported).toEqual(availableParallelism() > 1 ? [notice] : []);
});
