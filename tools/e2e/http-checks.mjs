import assert from 'node:assert/strict';
import { request } from 'node:http';
import { freePort } from '../free-port.ts';
import { serve } from './child-process.mjs';
import { childEnv } from './workspace.mjs';

export const LISTENING = /listening on:?\s+http/i;
/** What is printed when the addon is not there. */
export const TWIN_NOTICE = /NG_SSR_ADDON_UNAVAILABLE:/g;

/**
 * A request on the loopback interface, with any Host, on a connection of its own: one that is kept may be closed by
 * the server just when it is used again.
 *
 * @param limitMs - A server that sends nothing for so long has failed.
 */
export function get(port, path, headers = {}, limitMs = 60_000) {
  return new Promise((resolve, reject) => {
    const options = { port, path, host: '127.0.0.1', headers, timeout: limitMs, agent: false };
    request(options, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text) => (body += text));
      response.on('end', () => {
        resolve({ status: response.statusCode, headers: response.headers, body });
      });
    })
      .on('timeout', function () {
        this.destroy(new Error(`no answer to ${path} within ${limitMs / 1000} s`));
      })
      .on('error', reject)
      .end();
  });
}

/**
 * Starts a built server and checks a prerendered page, a rendered one, an API route, the ETag
 * and an unknown host.
 *
 * @param hasAddon - Whether the native addon can be found from there.
 * @param hasRoute - Whether the server has the API route of most servers that `ng add` writes.
 * @param command - What starts the server's file, where that is not this Node.
 * @param isPacked - Whether the build is packed, so that pages are encoded from the first answer on.
 * @returns The ETag of the home page, and when it was served.
 */
export async function checkServer(
  folder,
  serverFile,
  {
    hasAddon,
    isPacked = false,
    hasRoute = true,
    extraEnv = {},
    command = [process.execPath],
    env = childEnv,
  },
) {
  const port = await freePort();
  const [program, ...words] = command;
  const server = await serve(program, [...words, serverFile], {
    cwd: folder,
    env: { ...env, PORT: String(port), ...extraEnv },
    ready: LISTENING,
  });
  try {
    const home = await get(port, '/');
    const servedAt = performance.now();
    if (isPacked) {
      const encoded = await get(port, '/', { 'Accept-Encoding': 'br' });
      assert.equal(encoded.headers['content-encoding'], 'br', 'the build is not packed');
      assert.doesNotMatch(server.output(), /NG_SSR_PACK/);
    }
    assert.equal(home.status, 200, `GET / is ${home.status}: ${home.body.slice(0, 500)}`);
    assert.match(home.body, /<h1>Home one<\/h1>/);
    assert.match(home.body, /ng-server-context="ssg"/, 'GET / is not the prerendered page');
    assert.match(home.headers['cache-status'] ?? '', /hit/);
    const { etag } = home.headers;
    assert.match(etag ?? '', /^"[\w-]{11}"$/, `the ETag is ${etag}`);
    assert.equal((await get(port, '/', { 'If-None-Match': etag })).status, 304);

    const item = await get(port, '/item/7');
    assert.equal(item.status, 200, `GET /item/7 is ${item.status}: ${item.body.slice(0, 500)}`);
    assert.match(item.body, /<h1>Item 7<\/h1>/);
    assert.doesNotMatch(item.body, /ng-server-context="ssg"/);

    if (hasRoute) {
      const time = await get(port, '/api/time');
      assert.equal(time.status, 200);
      assert.equal(typeof JSON.parse(time.body).now, 'number');
    }

    assert.equal((await get(port, '/item/7', { Host: 'evil.example' })).status, 400);
    const notices = server.output().match(TWIN_NOTICE)?.length ?? 0;
    assert.equal(notices, hasAddon ? 0 : 1, `it says:\n${server.output()}`);
    return { etag, servedAt };
  } catch (error) {
    error.message += `\nThe server has printed:\n${server.output().slice(-1000)}`;
    throw error;
  } finally {
    await server.stop();
  }
}
