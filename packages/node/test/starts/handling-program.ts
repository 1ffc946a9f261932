/** A program that handles the error of its start, in the way that its argument names. */
import { createNodeSsrServer } from '@ng-ssr/node/server';

const [way, port] = process.argv.slice(2);
const files = { folder: `${import.meta.dirname}/browser` };
const create = (options: object) => createNodeSsrServer({ engine: () => null, files, ...options });
const wrong = { allowedHosts: ['https://shop.example'] };

const WAYS: Readonly<Record<string, () => Promise<void> | void>> = {
  'a wrong option': () => {
    try {
      create(wrong);
    } catch {
      create({ allowedHosts: ['shop.example'] });
      console.log('handled');
    }
  },
  'a port in use': async () => {
    const server = create({ allowedHosts: ['shop.example'] });
    await server.listen({ port: Number(port) }).catch(() => console.log('handled'));
  },
  'an uncaught error': () => {
    process.once('uncaughtException', () => console.log('handled'));
    create(wrong);
  },
  'an error after its server listens': async () => {
    const server = create({ allowedHosts: ['shop.example'] });
    await server.listen({ port: 0, announce: false });
    process.once('uncaughtException', (error) => console.error('uncaughtException', error));
    // Not part of the start of the process either.
    create({ allowedHosts: ['shop.example'] });
    setImmediate(() => {
      void server.close().then(() => console.log('handled'));
      throw new Error('a request of another service failed');
    });
  },
};

await WAYS[way!]!();
