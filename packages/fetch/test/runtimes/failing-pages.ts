/** Serves pages that leave errors uncaught, on Bun or Deno; prints its port, then each error, a line each. */
import {
  type BunServer,
  createFetchSsrHandler,
  type DenoServer,
  shutDownOnSignals,
} from '@ng-ssr/fetch/server';

type Serve = (request: Request) => Response | Promise<Response>;
const { Bun, Deno } = globalThis as unknown as {
  Bun?: { serve(options: { port: number; fetch: Serve }): BunServer & { port: number } };
  Deno?: { serve(options: object, serve: Serve): DenoServer & { addr: { port: number } } };
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
  // Without a build, it would be reported that no page is cached.
  cache: false,
  onError: ({ code, cause }) => console.log(`${code}: ${String(cause)}`),
});
const server =
  Bun?.serve({ port: 0, fetch: ssr }) ?? Deno!.serve({ port: 0, onListen: () => undefined }, ssr);
// The handler learns the port of a server on Deno.
shutDownOnSignals(server, ssr, false);
console.log('port' in server ? server.port : server.addr.port);
