/** Serves pages that leave errors uncaught, on Bun or Deno; prints its port, then each error, a line each. */
import { createFetchSsrHandler } from '@ng-ssr/fetch/server';

type Serve = (request: Request) => Response | Promise<Response>;
const { Bun, Deno } = globalThis as unknown as {
  Bun?: { serve(options: { port: number; fetch: Serve }): { port: number } };
  Deno?: { serve(options: object, serve: Serve): { addr: { port: number } } };
};

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const pages: Record<string, () => unknown> = {
  '/page': () => undefined,
  '/rejects': () => void Promise.reject(new Error('nobody waited')),
  '/rejects-later': () => void setTimeout(() => void Promise.reject(new Error('too late')), 200),
  '/throws-in-timer': () =>
    void setTimeout(() => {
      throw new Error('nobody caught it');
    }),
};
const ssr = createFetchSsrHandler({
  allowedHosts: ['127.0.0.1'],
  async engine({ url }) {
    pages[new URL(url).pathname]!();
    await wait(50);
    return new Response('complete');
  },
  onError: ({ code, cause }) => console.log(`${code}: ${String(cause)}`),
});
const port =
  Bun?.serve({ port: 0, fetch: ssr }).port ??
  Deno!.serve({ port: 0, onListen: () => undefined }, ssr).addr.port;
console.log(port);
