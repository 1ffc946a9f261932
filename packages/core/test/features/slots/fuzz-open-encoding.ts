import { createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib';
import type { Random } from '@ng-ssr/conformance/fuzz';
import { type OpenContent, openContent } from '../../../src/features/slots/open-encoding.ts';

export const DECODERS = {
  gzip: createGunzip,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};
export type Encoding = keyof typeof DECODERS;
export const ENCODINGS_LEFT_OPEN = Object.keys(DECODERS) as Encoding[];

/** Around the limits of the blocks of each encoding. */
export const SIZES = [0, 1, 2, 65_534, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073, 200_000];
const MOST_BYTES = 200_000;
/** Pieces of one response, on the mean. */
const PIECES = 50;
/** Responses with the same start. */
const RESPONSES_OF_PAGE = 20;

/**
 * Sends random pieces after pages that were left open, to a decoder that gets them in other parts.
 *
 * @param pieces - The least number of pieces.
 * @throws Error for a response whose content is another than what was sent.
 */
export async function fuzzOpenEncoding(
  encoding: Encoding,
  pieces: number,
  random: Random,
): Promise<void> {
  const pool = randomBytes(MOST_BYTES * 2, random);
  let page: Buffer = Buffer.alloc(0);
  let open: OpenContent | undefined;
  let sent = 0;
  for (let round = 0; sent < pieces; round++) {
    if (open === undefined || round % RESPONSES_OF_PAGE === 0) {
      page = randomPage(random);
      open = await openContent(page, encoding);
      if (open === undefined) continue;
    }
    const all = Array.from({ length: random.below(2 * PIECES) }, () => pieceOf(pool, random));
    const tail = open.tail();
    const bytes = [open.bytes, ...all.flatMap((piece) => tail.add(piece)), ...tail.end()];
    const decoded = await decodeInParts(encoding, Buffer.concat(bytes), random);
    if (!decoded.equals(Buffer.concat([page, ...all]))) {
      const sizes = all.map(({ byteLength }) => byteLength).join();
      throw new Error(`${encoding}, response ${round}: other content; pieces of ${sizes}`);
    }
    sent += all.length;
  }
}

/** Most are short, as slots are. */
function pieceOf(pool: Buffer, random: Random): Buffer {
  const size = random.chance(0.05)
    ? random.pick(SIZES)
    : random.below(random.chance(0.02) ? MOST_BYTES : 500);
  const from = random.below(pool.length - size);
  return pool.subarray(from, from + size);
}

function randomPage(random: Random): Buffer {
  const paragraph = `<p>${random.word()} is the same for all.</p>`;
  return Buffer.from(paragraph.repeat(2 + random.below(random.pick([5, 500, 5000]))));
}

function randomBytes(length: number, random: Random): Buffer {
  const words = Uint32Array.from({ length: length / 4 }, () => random.word());
  return Buffer.from(words.buffer);
}

async function decodeInParts(encoding: Encoding, bytes: Buffer, random: Random): Promise<Buffer> {
  const decoder = DECODERS[encoding]();
  const decoded: Buffer[] = [];
  decoder.on('data', (chunk: Buffer) => decoded.push(chunk));
  const ended = new Promise((resolve, reject) => {
    decoder.once('end', resolve).once('error', reject);
  });
  const most = 2 * Math.ceil(bytes.length / random.pick([1, 3, 30]));
  for (let at = 0; at < bytes.length;) {
    const to = at + 1 + random.below(most);
    decoder.write(bytes.subarray(at, to));
    at = to;
  }
  decoder.end();
  await ended;
  return Buffer.concat(decoded);
}
