/** Two servers in one program, and renders that the program alone asks for. */
import { isMainThread, threadId } from 'node:worker_threads';
import { withRenderThreads } from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';

const { files, renderThreads } = JSON.parse(process.env.OPTIONS);
const [first, second] = ['first', 'second'].map(
  (name) =>
    new SsrHandler({
      engine: () => new Response(`${name} ${threadId > 0}`),
      allowedHosts: ['localhost'],
      files,
      features: [withRenderThreads(renderThreads)],
      onError: (error) => process.send({ error: { code: error.code, message: error.message } }),
    }),
);

if (isMainThread) {
  const ask = async (handler) => {
    const exchange = {
      method: 'GET',
      target: '/',
      encrypted: false,
      status: 200,
      header: (name) => (name === 'host' ? 'localhost' : undefined),
      headers: () => [['host', 'localhost']],
      content: async () => undefined,
    };
    const { body } = await handler.render(exchange);
    return Buffer.from(body).toString();
  };
  process.send({
    origin: 'none',
    answers: [await ask(second), await ask(first), await ask(second)],
  });
  // Idle threads do not keep a program alive; what its parent may send would.
  process.disconnect();
}
