import { createHash } from 'node:crypto';
import type { ClientResponse } from '../client.ts';

/** A response reduced to what must be the same on every adapter. */
export interface RecordedResponse {
  readonly status: number;
  /** Sorted `name: value` lines, names in lower case; without the connection's and clock-dependent parts. */
  readonly headers: readonly string[];
  /** SHA-256 of the content, in hexadecimal. */
  readonly body: string;
}

/** By case name, the case's responses in the order of its requests. */
export type Transcript = Readonly<Record<string, readonly RecordedResponse[]>>;

const CONNECTION_HEADERS = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/**
 * Reduces a response to the parts that a parity comparison uses.
 *
 * @param response - As received.
 */
export function recordResponse(response: ClientResponse): RecordedResponse {
  return {
    status: response.status,
    headers: response.headers
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !CONNECTION_HEADERS.has(name))
      .map(([name, value]) => `${name}: ${withoutSeconds(name, value)}`)
      .sort(),
    body: createHash('sha256').update(response.body).digest('hex'),
  };
}

/**
 * Removes the seconds of Age and Cache-Status, which depend on the time of the request.
 *
 * @param name - The header's name, in lower case.
 */
export function withoutSeconds(name: string, value: string): string {
  if (name === 'age') return value.replace(/^\d+$/, 'seconds');
  return name === 'cache-status' ? value.replace(/ttl=\d+$/, 'ttl=seconds') : value;
}

/** One response in which two transcripts differ. */
export interface ParityDifference {
  readonly case: string;
  /** The index of the response within its case. */
  readonly index: number;
  readonly reference: RecordedResponse | undefined;
  readonly other: RecordedResponse | undefined;
}

/**
 * Compares two adapters' transcripts, response by response. Cases that only one of them has (a run
 * or a protocol that the other lacks) are skipped.
 *
 * @param reference - Usually the node adapter's.
 * @param other - The adapter to compare.
 * @returns Every response that differs; empty when the adapters answer alike, byte for byte.
 */
export function compareTranscripts(reference: Transcript, other: Transcript): ParityDifference[] {
  const differences: ParityDifference[] = [];
  for (const [name, expected] of Object.entries(reference)) {
    const actual = other[name];
    if (!actual) continue;
    for (let index = 0; index < Math.max(expected.length, actual.length); index++) {
      const [left, right] = [expected[index], actual[index]];
      if (JSON.stringify(left) === JSON.stringify(right)) continue;
      differences.push({ case: name, index, reference: left, other: right });
    }
  }
  return differences;
}
