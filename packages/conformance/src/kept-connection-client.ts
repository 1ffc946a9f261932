import { type ConformanceClient, requestBytes } from './client.ts';
import { RawConnection } from './raw-client.ts';
import type { ParsedResponse } from './response-parser.ts';

/** More than a server needs to see that a connection asks for what it holds. */
const FIRST_HITS = 3;

/**
 * A client with one HTTP/1.1 connection, which has got a built file a few times before the first request of the
 * suite and is used as long as the server keeps it.
 *
 * @param port - The server's port on this machine.
 * @param hit - The target of the built file.
 */
export function createKeptConnectionClient(port: number, hit: string): ConformanceClient {
  let connection: RawConnection | undefined;
  const open = async (): Promise<RawConnection> => {
    const opened = await RawConnection.open(port);
    for (let i = 0; i < FIRST_HITS; i++) {
      opened.write(requestBytes({ target: hit }));
      await opened.read();
    }
    return opened;
  };
  return {
    async request(request) {
      // A server may close a connection that was idle for long (RFC 9112 section 9.5).
      const used = connection?.isOver === false ? connection : await open();
      connection = undefined;
      used.write(requestBytes(request));
      const response = await used.read(request.method);
      if (isKept(response)) connection = used;
      else used.end();
      return response;
    },
  };
}

function isKept({ headers, framing }: ParsedResponse): boolean {
  const closes = headers.some(
    ([name, value]) => name.toLowerCase() === 'connection' && value.toLowerCase() === 'close',
  );
  return !closes && framing !== 'close';
}
