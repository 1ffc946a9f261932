import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { renderInProcess } from '../../src/render/in-process.ts';

it.each([
  ['a page', () => new Response('page')],
  ['no page', () => null],
  ['an error', () => Promise.reject(new Error('out of stock'))],
  ['a body that fails', () => new Response(new ReadableStream({ pull: (it) => it.error('cut') }))],
])('a render leaves no listener on a signal that outlives it: %s', async (_, engine) => {
  const { signal } = new AbortController();
  const { render } = renderInProcess({
    host: { engine: () => engine },
    failOnError: false,
    onError: () => {},
  });
  const request = new Request('http://localhost/p');
  const job = { request, requestContext: undefined, isShared: true, name: '/p' };
  await Promise.allSettled([render(job, signal), render(job, signal)]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
