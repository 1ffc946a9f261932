import { createFetchSsrHandler } from '@ng-ssr/fetch/server';
import { onTestFinished, test } from 'vitest';
import { expectAllLines, repeating } from '../../node/test/define-repeated-headers-test.ts';

test.each([true, false])(
  'a header that two features add has both values (cookies: %j)',
  async (setsCookie) => {
    const handler = createFetchSsrHandler(repeating(setsCookie));
    onTestFinished(() => handler.close());
    const get = async (path: string): Promise<Response> =>
      (await handler(new Request(`http://127.0.0.1${path}`)))!;
    for (const path of ['/rendered', '/rendered', '/b']) expectAllLines(await get(path), 'page, ');
    expectAllLines(await get('/a.txt'), '');
  },
);
