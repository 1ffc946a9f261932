import type { ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import { type AnyFunction, type Files, filesOnStack, isOfNode } from '../files-on-stack.ts';
import { http } from '../node-http.ts';

/**
 * Whether functions of others run where node:http emits a request and writes its response. Libraries that trace
 * requests wrap `emit`, `writeHead`, `write` or `end`. If they have done so before this module was loaded, a wrapper
 * cannot be told from the method, but it is on the call stack.
 */
export async function hasForeignCode(): Promise<boolean> {
  const server = http.createServer();
  const connection = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  let isForeign = true;
  const closed = new Promise<void>((resolve) => {
    server.on('request', (_request, response) => {
      response.once('close', resolve);
      try {
        isForeign = isWrapped(connection, response);
      } catch {
        connection.destroy();
      }
    });
  });
  server.emit('connection', connection);
  connection.push('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await closed;
  connection.destroy();
  return isForeign;
}

/** Looks at the call stack when node:http emits a request, reads the headers of its response, and writes it. */
function isWrapped(connection: Duplex, response: ServerResponse): boolean {
  const here = filesOnStack(filesOnStack);
  let isForeign = isEmitWrapped(here);
  let looks = 0;
  const look = (caller: AnyFunction): void => {
    const files = filesOnStack(caller);
    looks++;
    isForeign ||= !files.slice(0, files.length - here.length).every(isOfNode);
  };
  const value = {
    toString() {
      look(value.toString);
      return 'value';
    },
  };
  connection.write = function write(...parameters: unknown[]): boolean {
    look(write);
    return Reflect.apply(Duplex.prototype.write, connection, parameters) as boolean;
  };
  response.writeHead(200, ['Content-Length', '2', 'X-Value', value as unknown as string]);
  const ofHead = looks;
  response.write('a');
  const ofWrite = looks;
  response.end('b');
  // A method that does its work later is not node:http's.
  return isForeign || ofHead === 0 || ofWrite === ofHead || looks === ofWrite;
}

/** Whether the function that node:http's server calls to emit a request is not that of node:events. */
function isEmitWrapped(files: Files): boolean {
  const at = files.indexOf('node:_http_server');
  return at < 1 || !isOfNode(files[at - 1]);
}
