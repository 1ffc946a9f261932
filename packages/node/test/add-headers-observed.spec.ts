/** Libraries may wrap `setHeader` before this package looks how node:http keeps headers. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setHeaders } from '@ng-ssr/node/adapter';
import { expect, onTestFinished, test } from 'vitest';

test('a setHeader that was wrapped from the start sees each header', () => {
  const { setHeader } = ServerResponse.prototype;
  let count = 0;
  ServerResponse.prototype.setHeader = function (name, value) {
    if (name === 'X-A') count++;
    return Reflect.apply(setHeader, this, [name, value]) as ServerResponse;
  };
  onTestFinished(() => void Reflect.deleteProperty(ServerResponse.prototype, 'setHeader'));
  for (let i = 0; i < 400; i++) {
    setHeaders(new ServerResponse(new IncomingMessage(new Socket())), ['X-A', String(i)]);
  }
  expect(count).toBe(400);
});
