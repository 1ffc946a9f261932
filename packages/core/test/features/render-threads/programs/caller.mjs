/**
 * A program whose pages make the calls that the query asks for, and say how each has ended. In render threads, too.
 */
import { createServer } from 'node:http';
import { isMainThread, threadId } from 'node:worker_threads';
import { channelOf, isMainModule, withCalls, withRenderThreads } from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';

const describe = ({ name, code, message, cause }) => ({ name, code, message, cause: cause?.code });
const kept = [];

/** Aborts when another call is answered. */
function abortedAfter(url) {
  const controller = new AbortController();
  void fetch(url).then(() => controller.abort());
  return controller.signal;
}

/** Makes one call, and reads as much of its content as asked for. */
async function call({ url, init = {}, abortAfterMs, abortAfter, read = 'text', stalls }) {
  const signal = abortAfter
    ? abortedAfter(abortAfter)
    : abortAfterMs === undefined
      ? undefined
      : AbortSignal.timeout(abortAfterMs);
  // Content that begins and does not go on.
  const body =
    stalls && new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(9)) });
  const content = stalls && { method: 'POST', body, duplex: 'half' };
  try {
    const response = await fetch(url, { ...init, ...content, signal });
    const { status, redirected } = response;
    const headers = Object.fromEntries(response.headers);
    const head = { status, redirected, url: response.url, headers };
    if (read === 'head') return head;
    if (read === 'text') return { ...head, text: await response.text() };
    return { ...head, bytes: (await response.arrayBuffer()).byteLength };
  } catch (error) {
    return { error: describe(error) };
  }
}

const engine = async (request) => {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === '/memory') return Response.json(process.memoryUsage());
  if (pathname === '/late') {
    const url = searchParams.get('url');
    const init = { credentials: searchParams.get('credentials') ?? 'same-origin' };
    kept.push(call({ url: searchParams.get('hung'), init }));
    await call({ url });
    // After the end of the render.
    const after = { url: searchParams.get('after'), init };
    kept.push(new Promise((resolve) => setTimeout(() => resolve(call(after)), 50)));
    return new Response('early');
  }
  if (pathname === '/kept') return Response.json(await Promise.all(kept.splice(0)));
  const calls = JSON.parse(searchParams.get('calls'));
  const headers = { 'x-thread': String(threadId) };
  return Response.json(await Promise.all(calls.map(call)), { headers });
};

const { calls, renderThreads, ...options } = JSON.parse(process.env.OPTIONS);
const handler = new SsrHandler({
  engine,
  allowedHosts: ['localhost'],
  errorDetails: true,
  features: [calls && withCalls(calls), renderThreads && withRenderThreads(renderThreads)].filter(
    Boolean,
  ),
  onError: (error) => process.send?.({ error: { code: error.code, message: error.message } }),
  ...options,
});

if (isMainThread && isMainModule(import.meta.url)) {
  channelOf('ng-ssr:call').subscribe((call) =>
    process.send({ call: { ...call, render: undefined } }),
  );
  const server = createServer(async (request, response) => {
    const exchange = {
      method: request.method,
      target: request.url,
      encrypted: false,
      localPort: request.socket.localPort,
      status: 200,
      header: (name) => request.headers[name],
      headers: () => Object.entries(request.headers),
      content: async () => undefined,
    };
    const answer =
      handler.answer(exchange) ?? (await handler.render(exchange)) ?? handler.notFound(exchange);
    response.writeHead(answer.status, answer.headers).end(answer.body ?? '');
  });
  process.on('message', async (message) => {
    if (message === 'ping') return process.send({ pong: true });
    server.close();
    server.closeAllConnections();
    await handler.close();
    process.disconnect();
  });
  await handler.ready();
  server.listen(0, () => process.send({ origin: `http://localhost:${server.address().port}` }));
}
