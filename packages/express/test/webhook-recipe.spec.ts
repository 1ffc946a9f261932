import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DocsApi } from '../../conformance/test/processes/docs-api.ts';
import {
  docsFile,
  DocsServer,
  DocsWorkspace,
} from '../../conformance/test/processes/docs-server.ts';

const PATH = '/products/a%20lamp';
const SECRET = 'a-secret-of-the-cms';
const BODY = JSON.stringify({ id: 'a lamp' });

describe('the recipe for a webhook', () => {
  let api: DocsApi;
  let workspace: DocsWorkspace;
  let server: DocsServer;

  beforeAll(async () => {
    api = await DocsApi.start();
    workspace = new DocsWorkspace(import.meta.url);
    workspace.linkAdapter('express');
    workspace.link('express');
    workspace.write(
      'dist/shop/server/server.ts',
      docsFile('docs/recipes.md', 'A webhook of your CMS', 'src/server.ts'),
    );
    server = await DocsServer.start(workspace, { API: api.origin, CMS_SECRET: SECRET });
  });
  afterAll(async () => {
    await server?.end('SIGTERM');
    workspace?.remove();
    api?.stop();
  });
  beforeEach(() => api.reset());

  async function call(signature: string | undefined, body?: string): Promise<number> {
    const headers = {
      'content-type': 'application/json',
      ...(signature === undefined ? {} : { 'x-signature': signature }),
    };
    return (await server.send('POST', '/hooks/cms', headers, body)).status;
  }

  const sign = (body: string, secret = SECRET): string =>
    createHmac('sha256', secret).update(body).digest('hex');

  test('renders the page that has changed', async () => {
    expect((await server.get(PATH)).text).toBe(api.pageOf(PATH));
    api.change(PATH);
    api.reset();
    expect(await call(sign(BODY), BODY)).toBe(202);
    // No visitor has requested it.
    await expect.poll(() => api.requests).toEqual([PATH]);
    await expect.poll(async () => (await server.get(PATH)).text).toBe(api.pageOf(PATH));
    expect(api.requests).toEqual([PATH]);
  });

  test.each([
    ['no signature', undefined, BODY],
    ['an empty one', '', BODY],
    ['one of another secret', sign(BODY, 'another'), BODY],
    ['one of another body', sign('{}'), BODY],
    ['a part of it', sign(BODY).slice(0, 32), BODY],
    ['more than it', `${sign(BODY)}00`, BODY],
    ['no body', sign(BODY), undefined],
  ])('with %s it does nothing', async (_name, signature, body) => {
    await server.get(PATH);
    api.change(PATH);
    const { text } = await server.get(PATH);
    api.reset();
    expect(await call(signature, body)).toBe(401);
    expect((await server.get(PATH)).text).toBe(text);
    expect(api.requests).toEqual([]);
  });

  test('without a secret, nobody can sign', async () => {
    const other = await DocsServer.start(workspace, { API: api.origin, CMS_SECRET: '' });
    const headers = { 'x-signature': sign(BODY, '') };
    expect((await other.send('POST', '/hooks/cms', headers, BODY)).status).toBe(401);
    expect(await other.end('SIGTERM')).toBe(0);
  });
});
