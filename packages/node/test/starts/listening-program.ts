/** A program whose server cannot listen on Node, in the way that its argument names. */
import { createSecureServer } from 'node:http2';
import { createNodeSsrServer } from '@ng-ssr/node/server';

const server = createNodeSsrServer({
  engine: () => null,
  allowedHosts: ['localhost'],
  files: { folder: `${import.meta.dirname}/browser` },
});

const WAYS: Readonly<Record<string, () => unknown>> = {
  'a descriptor that is no socket': () => server.listen({ fd: 1 }),
  'a host that no resolver knows': () => server.listen({ port: 0, host: 'shop.invalid' }),
  'a key that is a path': () => {
    const own = createSecureServer({ key: 'key.pem', cert: 'cert.pem' }, server.reqHandler);
    return server.listen({ server: own as never });
  },
};

void WAYS[process.argv[2]!]!();
