/** A program that handles the error of its start, in the way that its argument names. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  'an uncaught error with a listener that begins as that of Angular': () => {
    process.on('uncaughtException', (error) => {
      console.error('uncaughtException', error.message);
      console.log('handled');
    });
    create(wrong);
  },
  'an uncaught error with a callback that captures all': () => {
    process.setUncaughtExceptionCaptureCallback(() => console.log('handled'));
    create(wrong);
  },
  'an uncaught error with a domain': async () => {
    const { create: createDomain } = await import('node:domain');
    const own = createDomain().on('error', () => console.log('handled'));
    create({ allowedHosts: ['shop.example'] });
    own.run(() => setImmediate(() => create(wrong)));
  },
  'a rejection before its server listens': async () => {
    process.once('unhandledRejection', () => console.log('handled'));
    const server = create({ allowedHosts: ['shop.example'] });
    void Promise.reject(new Error('the metrics cannot be sent'));
    await new Promise((resolve) => setImmediate(resolve));
    await server.listen({ port: 0, announce: false });
    await server.close();
  },
  'a port in use by a listener': async () => {
    process.once('unhandledRejection', () => console.log('handled'));
    const server = create({ allowedHosts: ['shop.example'] });
    void server.listen({ port: Number(port) });
    await new Promise((resolve) => setTimeout(resolve, 500));
    await server.listen({ port: 0, announce: false });
    await server.close();
  },
  'a port in use, where rejections are warnings': async () => {
    const server = create({ allowedHosts: ['shop.example'] });
    await server.listen({ port: Number(port) }).catch(() => undefined);
    await server.listen({ port: 0, announce: false });
    void Promise.reject(new Error('a job has failed'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    void Promise.reject(new Error('a job has failed again'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await server.close();
    console.log('handled');
  },
  'an error after a server of its own listens': () => errAfterStart(0),
  'an error after a server of its own listens at a socket of the file system': () => {
    const name = `ng-ssr-${process.pid}`;
    return errAfterStart(
      process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`),
    );
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

async function errAfterStart(place: string | number): Promise<void> {
  const server = create({ allowedHosts: ['shop.example'] });
  const own = createServer(server.reqHandler).listen(place);
  await once(own, 'listening');
  process.once('uncaughtException', (error) => console.error('uncaughtException', error));
  setImmediate(() => {
    own.close(() => console.log('handled'));
    throw new Error('a request of another service failed');
  });
}

await WAYS[way!]!();
