import type { TagWriter } from './tag-writer.ts';

// XXH3-64 (seed 0, default secret) in plain JavaScript, for runtimes that lack or forbid
// WebAssembly. Slower than the module by a factor of sixty, with the same tags.

const SECRET = Uint8Array.from(
  (
    'b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f' +
    'cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c' +
    '3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8' +
    'a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364' +
    'eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e' +
    '2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e'
  ).match(/../g)!,
  (pair) => parseInt(pair, 16),
);

const STRIPE = 64;
const BLOCK = 1024;
const LAST_SECRET = SECRET.length - STRIPE;

const P32_1 = 0x9e3779b1n;
const P64_1 = 0x9e3779b185ebca87n;
const P64_2 = 0xc2b2ae3d27d4eb4fn;
const P64_3 = 0x165667b19e3779f9n;
const MIX_1 = 0x165667919e3779f9n;
const MIX_2 = 0x9fb21c651e98df25n;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const secret = viewOf(SECRET);

const wrap = (value: bigint): bigint => BigInt.asUintN(64, value);
const shift = (value: bigint, bits: bigint): bigint => value ^ (value >> bits);
const rotate = (value: bigint, bits: bigint): bigint =>
  wrap(value << bits) | (value >> (64n - bits));
const avalanche = (value: bigint): bigint => shift(wrap(shift(value, 37n) * MIX_1), 32n);
const avalanche64 = (value: bigint): bigint =>
  shift(wrap(shift(wrap(shift(value, 33n) * P64_2), 29n) * P64_3), 32n);
const fold = (a: bigint, b: bigint): bigint => wrap(a * b) ^ ((a * b) >> 64n);
const key = (at: number): bigint => secret.getBigUint64(at, true);

function mix16(view: DataView, at: number, keyAt: number): bigint {
  return fold(
    view.getBigUint64(at, true) ^ key(keyAt),
    view.getBigUint64(at + 8, true) ^ key(keyAt + 8),
  );
}

function shortDigest(view: DataView, length: number): bigint {
  const size = BigInt(length);
  if (length > 8) {
    const low = view.getBigUint64(0, true) ^ key(24) ^ key(32);
    const high = view.getBigUint64(length - 8, true) ^ key(40) ^ key(48);
    const swapped = new DataView(new ArrayBuffer(8));
    swapped.setBigUint64(0, low, true);
    return avalanche(wrap(size + swapped.getBigUint64(0) + high + fold(low, high)));
  }
  if (length >= 4) {
    const both =
      BigInt(view.getUint32(length - 4, true)) + (BigInt(view.getUint32(0, true)) << 32n);
    let h = both ^ key(8) ^ key(16);
    h = wrap((h ^ rotate(h, 49n) ^ rotate(h, 24n)) * MIX_2);
    h = wrap((h ^ ((h >> 35n) + size)) * MIX_2);
    return shift(h, 28n);
  }
  if (length === 0) return avalanche64(key(56) ^ key(64));
  const bytes =
    (BigInt(view.getUint8(0)) << 16n) |
    (BigInt(view.getUint8(length >> 1)) << 24n) |
    BigInt(view.getUint8(length - 1)) |
    (size << 8n);
  return avalanche64(bytes ^ ((key(0) ^ (key(0) >> 32n)) & 0xffffffffn));
}

function mediumDigest(view: DataView, length: number): bigint {
  let h = BigInt(length) * P64_1;
  if (length <= 128) {
    for (let i = (length - 1) >> 5; i >= 0; i--) {
      h += mix16(view, 16 * i, 32 * i) + mix16(view, length - 16 * (i + 1), 32 * i + 16);
    }
    return avalanche(wrap(h));
  }
  for (let i = 0; i < 128; i += 16) h += mix16(view, i, i);
  let tail = mix16(view, length - 16, 136 - 17);
  for (let i = 128; i + 16 <= length; i += 16) tail += mix16(view, i, i - 128 + 3);
  return avalanche(wrap(avalanche(wrap(h)) + tail));
}

/** Lanes are pairs of 32-bit halves, low first: numbers, because BigInt allocates at each step. */
function accumulate(lanes: Uint32Array, view: DataView, at: number, keyAt: number): void {
  for (let lane = 0; lane < 16; lane += 2) {
    const low = view.getUint32(at + 4 * lane, true);
    const high = view.getUint32(at + 4 * lane + 4, true);
    const a = low ^ secret.getUint32(keyAt + 4 * lane, true);
    const b = high ^ secret.getUint32(keyAt + 4 * lane + 4, true);
    const a0 = a & 0xffff;
    const a1 = a >>> 16;
    const b0 = b & 0xffff;
    const b1 = b >>> 16;
    const p00 = Math.imul(a0, b0);
    const p10 = Math.imul(a1, b0);
    const p01 = Math.imul(a0, b1);
    const middle = (p00 >>> 16) + (p10 & 0xffff) + (p01 & 0xffff);
    const productHigh = Math.imul(a1, b1) + (p10 >>> 16) + (p01 >>> 16) + (middle >>> 16);
    add(lanes, lane, ((p00 & 0xffff) | (middle << 16)) >>> 0, productHigh);
    add(lanes, lane ^ 2, low, high);
  }
}

function add(lanes: Uint32Array, lane: number, low: number, high: number): void {
  const sum = lanes[lane]! + low;
  lanes[lane] = sum;
  lanes[lane + 1] = lanes[lane + 1]! + high + (sum > 0xffffffff ? 1 : 0);
}

function longDigest(view: DataView, length: number): bigint {
  // prettier-ignore
  const lanes = Uint32Array.of(
    0xc2b2ae3d, 0, 0x85ebca87, 0x9e3779b1, 0x27d4eb4f, 0xc2b2ae3d, 0x9e3779f9, 0x165667b1,
    0xc2b2ae63, 0x85ebca77, 0x85ebca77, 0, 0x165667c5, 0x27d4eb2f, 0x9e3779b1, 0,
  );
  const halves = viewOf(new Uint8Array(lanes.buffer));
  const lastBlock = Math.floor((length - 1) / BLOCK) * BLOCK;
  for (let at = 0; at < lastBlock; at += BLOCK) {
    for (let i = 0; i < 16; i++) accumulate(lanes, view, at + STRIPE * i, 8 * i);
    for (let i = 0; i < 16; i += 2) {
      const lane = (BigInt(lanes[i + 1]!) << 32n) | BigInt(lanes[i]!);
      const scrambled = wrap((shift(lane, 47n) ^ key(LAST_SECRET + 4 * i)) * P32_1);
      lanes[i] = Number(scrambled & 0xffffffffn);
      lanes[i + 1] = Number(scrambled >> 32n);
    }
  }
  for (let at = lastBlock, i = 0; at + STRIPE < length; at += STRIPE, i++) {
    accumulate(lanes, view, at, 8 * i);
  }
  accumulate(lanes, view, length - STRIPE, LAST_SECRET - 7);
  let h = BigInt(length) * P64_1;
  for (let i = 0; i < 4; i++) h += mix16(halves, 16 * i, 11 + 16 * i);
  return avalanche(wrap(h));
}

export function createScriptWriter(): TagWriter {
  const encoder = new TextEncoder();
  return (body, weak) => {
    const given = typeof body === 'string' ? encoder.encode(body) : body;
    const { length } = given;
    // A detached array counts as empty, and DataView would throw for it.
    const bytes = length === 0 ? new Uint8Array(0) : given;
    const view = viewOf(bytes);
    const digest =
      length > 240
        ? longDigest(view, length)
        : length > 16
          ? mediumDigest(view, length)
          : shortDigest(view, length);
    let text = '';
    for (let bits = 58n; bits > 0n; bits -= 6n) text += ALPHABET[Number((digest >> bits) & 63n)];
    text += ALPHABET[Number(digest & 15n) << 2];
    return weak ? `W/"${text}"` : `"${text}"`;
  };
}
