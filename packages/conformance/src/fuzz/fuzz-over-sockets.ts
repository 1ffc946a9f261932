import { RawConnection } from '../raw-client.ts';
import type { ParsedResponse } from '../response-parser.ts';
import type { FuzzOptions } from './fuzz-options.ts';
import { type HostileRequest, HostileRequests } from './hostile-requests.ts';
import { problemsOf } from './problems-of.ts';
import { Random } from './random.ts';

const CONNECTIONS = 8;
const MOST_PIPELINED = 4;
const MOST_PROBLEMS = 10;

/** The result of a fuzz over sockets. */
export interface SocketFuzzReport {
  readonly sent: number;
  /** How often each status occurred. */
  readonly statuses: Readonly<Record<number, number>>;
  /** The first problems, each with the request that caused it. */
  readonly problems: readonly string[];
}

/**
 * Sends hostile requests to a server on this machine, as bytes: pipelined, with bodies, and from
 * clients that disconnect.
 */
export async function fuzzOverSockets(
  port: number,
  { requests, seed }: FuzzOptions,
): Promise<SocketFuzzReport> {
  const random = new Random(seed);
  const hostile = new HostileRequests(random);
  const statuses: Record<number, number> = {};
  const problems: string[] = [];
  let sent = 0;

  const run = async (): Promise<void> => {
    let connection: RawConnection | undefined;
    while (sent < requests && problems.length < MOST_PROBLEMS) {
      connection ??= await RawConnection.open(port);
      const group = nextGroup(hostile, random);
      sent += group.length;
      connection.write(group.map((request) => toBytes(request, random)).join(''));
      if (random.chance(0.02)) {
        connection.destroy();
        connection = undefined;
        continue;
      }
      for (const request of group) {
        const response = await readOne(connection, request);
        if (response instanceof Error) {
          if (isParsable(request)) problems.push(`${describe(request)}: ${response.message}`);
          connection.destroy();
          connection = undefined;
          break;
        }
        statuses[response.status] = (statuses[response.status] ?? 0) + 1;
        if (isParsable(request)) {
          const found = problemsOf(request, response);
          if (found.length > 0) problems.push(`${describe(request)}: ${found.join('; ')}`);
        }
        if (isLast(response) || !isParsable(request)) {
          connection.destroy();
          connection = undefined;
          break;
        }
      }
    }
    connection?.destroy();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, run));
  return { sent, statuses, problems };
}

/** One request, or several in one write where none of them ends the connection. */
function nextGroup(hostile: HostileRequests, random: Random): readonly HostileRequest[] {
  const group = [hostile.next()];
  if (!random.chance(0.1)) return group;
  while (group.length < MOST_PIPELINED) {
    const request = hostile.next();
    if (isParsable(request)) group.push(request);
  }
  return group.filter(isParsable);
}

async function readOne(
  connection: RawConnection,
  { method }: HostileRequest,
): Promise<ParsedResponse | Error> {
  try {
    return await connection.read(method);
  } catch (error) {
    return error as Error;
  }
}

/** Node's parser ends the connection on any other target, with or without a 400. */
function isParsable({ target }: HostileRequest): boolean {
  return /^(?:\/|https?:\/\/|\*$)[!-~]*$/.test(target);
}

function toBytes({ method, target, headers }: HostileRequest, random: Random): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const body =
    method === 'POST' || method === 'PUT' || method === 'PATCH' ? 'a'.repeat(random.below(50)) : '';
  if (body !== '') lines.push(`content-length: ${body.length}`, 'content-type: text/plain');
  return `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

function isLast({ headers, framing }: ParsedResponse): boolean {
  const says = headers.some(
    ([name, value]) => name.toLowerCase() === 'connection' && value.toLowerCase() === 'close',
  );
  return says || framing === 'close';
}

function describe({ method, target, headers }: HostileRequest): string {
  return JSON.stringify([method, target, headers]);
}
