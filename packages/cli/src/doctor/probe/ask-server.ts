import type { Server } from 'node:net';
import { Wire } from './wire.ts';
import { NO_ANSWER, type ProbeAnswer } from './probe-message.ts';

const LONGEST_MS = 10_000;
/** No server of ng-ssr makes it: an answer with this encoding comes from a middleware that compresses. */
const ENCODING = 'deflate';

/**
 * Sends a GET request to a server that does not listen, over a connection that is no socket.
 *
 * @param path - From "/".
 * @returns the status {@link NO_ANSWER} without an answer in time; undefined for one that is not of HTTP/1.1.
 */
export function askServer(
  server: Server,
  host: string,
  path: string,
  withinMs: number,
): Promise<ProbeAnswer | undefined> {
  const [ours, theirs] = Wire.pair();
  return new Promise((resolve) => {
    const end = (answer: ProbeAnswer | undefined): void => {
      clearTimeout(timer);
      ours.destroy();
      resolve(answer);
    };
    const timer = setTimeout(
      () => end({ path, status: NO_ANSWER, headers: {} }),
      Math.min(LONGEST_MS, withinMs),
    );
    let received = '';
    ours.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk;
      const headEnd = received.indexOf('\r\n\r\n');
      if (headEnd >= 0) end(readHead(path, received.slice(0, headEnd)));
    });
    ours.on('end', () => end(undefined)).on('error', () => end(undefined));
    theirs.on('error', () => undefined);
    // Servers of node:https get their decrypted connections by another event.
    server.emit('setSecureContext' in server ? 'secureConnection' : 'connection', theirs);
    ours.write(
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: ${ENCODING}\r\n` +
        'User-Agent: ng-ssr-doctor\r\nConnection: close\r\n\r\n',
    );
  });
}

function readHead(path: string, head: string): ProbeAnswer | undefined {
  const [line = '', ...lines] = head.split('\r\n');
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(line) ?? [];
  if (status === undefined) return undefined;
  const headers: Record<string, string> = {};
  for (const header of lines) {
    const [name = '', ...value] = header.split(':');
    const key = name.toLowerCase();
    const text = value.join(':').trim();
    headers[key] = headers[key] === undefined ? text : `${headers[key]}, ${text}`;
  }
  return { path, status: Number(status), headers };
}
