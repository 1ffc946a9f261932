import { request } from 'node:http';
import type { Server } from 'node:net';
import type { Socket } from 'node:net';
import { Wire } from './wire.ts';
import type { ComparedPage } from './probe-message.ts';

/**
 * Gets a page, as a browser without compression would, from a server that does not listen: over a connection that is no
 * socket.
 *
 * @param path - From "/".
 * @returns undefined without a whole answer in time.
 */
export function askPage(
  server: Server,
  host: string,
  path: string,
  withinMs: number,
): Promise<ComparedPage | undefined> {
  const [ours, theirs] = Wire.pair();
  theirs.on('error', () => undefined);
  return new Promise((resolve) => {
    const end = (page: ComparedPage | undefined): void => {
      clearTimeout(timer);
      ours.destroy();
      resolve(page);
    };
    const timer = setTimeout(() => end(undefined), withinMs);
    const headers = {
      host,
      accept: 'text/html',
      'accept-encoding': 'identity',
      'user-agent': 'ng-ssr-doctor',
      connection: 'close',
    };
    // The types ask for a socket, and any stream does.
    const createConnection = (): Socket => ours as unknown as Socket;
    request({ createConnection, path, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response
        .on('error', () => end(undefined))
        .on('end', () => {
          const headers = Object.entries(response.headers).map(([name, value]) => [
            name,
            String(value),
          ]);
          end({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(headers) as Record<string, string>,
            body,
          });
        });
    })
      .on('error', () => end(undefined))
      .end();
    // Servers of node:https get their decrypted connections by another event.
    server.emit('setSecureContext' in server ? 'secureConnection' : 'connection', theirs);
  });
}
