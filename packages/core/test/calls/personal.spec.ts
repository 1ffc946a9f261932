import { expect, it } from 'vitest';
import { html, storedServer } from '../pages/stored-server.ts';
import { startApi } from './api-server.ts';

const PUBLIC = {
  'cache-control': 'public, s-maxage=60',
  'cdn-cache-control': 'max-age=600',
  expires: 'Thu, 01 Jan 2099 00:00:00 GMT',
};

it.each(['cookie', 'authorization'])(
  'a page whose call got the %s of its request is for that client alone, whatever it says',
  async (name) => {
    const { origin } = await startApi();
    const server = storedServer(
      async () => {
        const { headers } = (await (await fetch(`${origin}/echo`)).json()) as {
          headers: Record<string, string>;
        };
        return html(`for ${headers[name]}`, PUBLIC);
      },
      { calls: { [`${origin}/**`]: { forward: [name] } } },
    );
    for (const user of ['ann', 'bob']) {
      const page = await server.get('/p', { [name]: user });
      expect(page.text).toContain(`for ${user}`);
      expect(page.cache).toContain('detail=personal-call');
      expect(page.field('cache-control')).toBe('private, no-cache');
      expect(page.field('cdn-cache-control')).toBeUndefined();
      expect(page.field('expires')).toBeUndefined();
      expect(page.field('vary')?.toLowerCase()).toContain(name);
    }
    // Without the field there is nothing of a client's in it.
    const page = await server.get('/p');
    expect(page.cache).toContain('stored');
    expect(page.field('cache-control')).toBe(PUBLIC['cache-control']);
    expect((await server.get('/p', { [name]: 'cat' })).text).toContain('for cat');
    expect((await server.get('/p')).isHit).toBe(true);
  },
);
