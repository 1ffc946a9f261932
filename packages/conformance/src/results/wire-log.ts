import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientResponse } from '../client.ts';

/** A response as received; its body is that of {@link WireRecord.bodies}. */
export interface WireResponse {
  readonly status: number;
  readonly headers: ClientResponse['headers'];
  /** SHA-256 of the body, in hexadecimal. */
  readonly body: string;
}

/** One request of a client, or one connection for raw bytes. */
export interface WireTurn {
  /** What was written, in order: one character for each byte. */
  readonly sent: readonly string[];
  readonly received: readonly WireResponse[];
}

/** What the clients of one run sent and received. */
export interface WireRecord {
  /** By case name, in the order in which the case began its requests and connections. */
  readonly cases: Readonly<Record<string, readonly WireTurn[]>>;
  /** Bodies by SHA-256, in base64; without those of more than {@link LARGEST_BODY_BYTES}. */
  readonly bodies: Readonly<Record<string, string>>;
}

/** Records one {@link WireTurn}. */
export interface TurnLog {
  sent(bytes: string | Uint8Array): void;
  received(response: ClientResponse): void;
}

/** The environment variable that names the folder for records. */
export const WIRE_FOLDER_VARIABLE = 'NG_SSR_CONFORMANCE_WIRE';

/** Large files of the fixture site say nothing that their digests do not say. */
const LARGEST_BODY_BYTES = 200_000;

/**
 * Records all requests and responses of a run, those of cases without parity too: `npm run baseline` compares two
 * versions of one adapter, which must agree in everything.
 */
export class WireLog {
  readonly #cases: Record<string, WireTurn[]> = {};
  readonly #bodies: Record<string, string> = {};

  /**
   * Begins a case.
   *
   * @returns a function that begins a turn of the case.
   */
  case(name: string): () => TurnLog {
    const turns: WireTurn[] = [];
    this.#cases[name] = turns;
    return () => {
      const sent: string[] = [];
      const received: WireResponse[] = [];
      // Requests that overlap are in the order in which they began, and not in that of their responses.
      turns.push({ sent, received });
      return {
        sent: (bytes) =>
          void sent.push(typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('latin1')),
        received: ({ status, headers, body }) =>
          void received.push({ status, headers, body: this.#digest(body) }),
      };
    };
  }

  /** Writes the record as `<name>.<run>.json`; creates the folder if it is missing. */
  async write(folder: string, name: string, run: string): Promise<void> {
    const record: WireRecord = { cases: this.#cases, bodies: this.#bodies };
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, `${name.replaceAll(/[^\w.-]/g, '-')}.${run}.json`),
      JSON.stringify(record),
    );
  }

  #digest(body: Buffer): string {
    const digest = createHash('sha256').update(body).digest('hex');
    if (body.length <= LARGEST_BODY_BYTES) this.#bodies[digest] ??= body.toString('base64');
    return digest;
  }
}
