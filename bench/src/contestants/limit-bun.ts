/** The least Bun can do: a Response of prebuilt bytes and headers. */
import { readLimitPage } from './limit-page.ts';

declare const Bun: {
  serve(options: { port: number; hostname: string; fetch: (request: Request) => Response }): {
    readonly port: number;
  };
};

const page = readLimitPage();
const identity = { headers: page.identity.headers };
const brotli = { headers: page.brotli.headers };
const notModified = { status: 304, headers: page.notModified.headers };

const { port } = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: ({ headers }) => {
    if (headers.get('if-none-match') === page.etag) return new Response(null, notModified);
    if (headers.get('accept-encoding')?.includes('br'))
      return new Response(page.brotli.body, brotli);
    return new Response(page.identity.body, identity);
  },
});
console.log(`Listening on http://127.0.0.1:${port}/`);
