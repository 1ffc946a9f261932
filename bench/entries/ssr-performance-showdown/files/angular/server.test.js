import assert from 'node:assert/strict';
import test from 'node:test';
import { main } from './server.js';

test('render index page in production', async () => {
  const app = await main();
  const { statusCode, body } = await app.inject({ url: '/', headers: { host: 'localhost:3000' } });
  await app.close();
  assert.equal(statusCode, 200);
  assert.match(body, /<div[^>]* id="wrapper"/);
  assert.equal(body.match(/class="tile"/g)?.length, 2398);
});
