import { render } from './dist/server/server.mjs';

// With each page Angular puts the Event of its DOM in place of the global one, which tinybench needs.
const { Event } = globalThis;

/** The benchmark's requests have no Host: the URL has one. */
export async function buildHandler() {
  return async (req, res) => {
    const page = await render(new Request(`http://localhost${req.url}`));
    globalThis.Event = Event;
    res.writeHead(page.status);
    res.end(Buffer.from(await page.arrayBuffer()));
  };
}
