/**
 * XXH3-64 (seed 0, default secret) for inputs of any size in a fixed window of memory, and the
 * ETag made from it. AssemblyScript; compiled by tools/compile-twin.mjs.
 *
 * The caller copies input into the window and calls `consume` while more is to come, then
 * `finish` once. XXH3 reads its last 64 bytes a second time, so `consume` keeps the 64 bytes
 * before the rest it has not used yet: the window has that much room in front of it.
 */

const P32_1: u64 = 0x9e3779b1;
const P32_2: u64 = 0x85ebca77;
const P32_3: u64 = 0xc2b2ae3d;
const P64_1: u64 = 0x9e3779b185ebca87;
const P64_2: u64 = 0xc2b2ae3d27d4eb4f;
const P64_3: u64 = 0x165667b19e3779f9;
const P64_4: u64 = 0x85ebca77c2b2ae63;
const P64_5: u64 = 0x27d4eb2f165667c5;
const MIX_1: u64 = 0x165667919e3779f9;
const MIX_2: u64 = 0x9fb21c651e98df25;

const STRIPE: usize = 64;
const BLOCK: usize = 1024;

// prettier-ignore
const SECRET = memory.data<u8>([
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
], 16);
const LAST_SECRET: usize = 192 - 64;
const ALPHABET = memory.data<u8>([
  0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x4b, 0x4c, 0x4d, 0x4e, 0x4f, 0x50,
  0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66,
  0x67, 0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6d, 0x6e, 0x6f, 0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76,
  0x77, 0x78, 0x79, 0x7a, 0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x2d, 0x5f,
]);
const LANES = memory.data(64, 16);

/** Where the 11 characters of the tag are after `finish`. */
export const digest = memory.data(16, 16);
/** Where the input goes. */
export const input: usize = 4096;
/** How many bytes fit there: two pages of memory less what comes before the window. */
export const capacity: usize = 2 * 65536 - 4096;

function avalanche(h: u64): u64 {
  h = (h ^ (h >> 37)) * MIX_1;
  return h ^ (h >> 32);
}

function avalanche64(h: u64): u64 {
  h = (h ^ (h >> 33)) * P64_2;
  h = (h ^ (h >> 29)) * P64_3;
  return h ^ (h >> 32);
}

/** The two halves of the 128-bit product, folded by xor. */
function fold(a: u64, b: u64): u64 {
  const low = (a & 0xffffffff) * (b & 0xffffffff);
  const left = (a >> 32) * (b & 0xffffffff);
  const right = (a & 0xffffffff) * (b >> 32);
  const cross = (low >> 32) + (left & 0xffffffff) + right;
  return (a * b) ^ ((left >> 32) + (cross >> 32) + (a >> 32) * (b >> 32));
}

function mix16(at: usize, secret: usize): u64 {
  return fold(load<u64>(at) ^ load<u64>(secret), load<u64>(at, 8) ^ load<u64>(secret, 8));
}

function shortDigest(at: usize, length: usize): u64 {
  if (length > 8) {
    const low = load<u64>(at) ^ load<u64>(SECRET, 24) ^ load<u64>(SECRET, 32);
    const high = load<u64>(at + length - 8) ^ load<u64>(SECRET, 40) ^ load<u64>(SECRET, 48);
    return avalanche(<u64>length + bswap<u64>(low) + high + fold(low, high));
  }
  if (length >= 4) {
    const both = <u64>load<u32>(at + length - 4) + ((<u64>load<u32>(at)) << 32);
    let h = both ^ load<u64>(SECRET, 8) ^ load<u64>(SECRET, 16);
    h = (h ^ rotl<u64>(h, 49) ^ rotl<u64>(h, 24)) * MIX_2;
    h = (h ^ ((h >> 35) + <u64>length)) * MIX_2;
    return h ^ (h >> 28);
  }
  const flip = load<u64>(SECRET, 56) ^ load<u64>(SECRET, 64);
  if (length == 0) return avalanche64(flip);
  const bytes =
    ((<u64>load<u8>(at)) << 16) |
    ((<u64>load<u8>(at + (length >> 1))) << 24) |
    (<u64>load<u8>(at + length - 1)) |
    ((<u64>length) << 8);
  return avalanche64(bytes ^ (<u64>(load<u32>(SECRET) ^ load<u32>(SECRET, 4))));
}

function mediumDigest(at: usize, length: usize): u64 {
  const end = at + length;
  let h = <u64>length * P64_1;
  if (length <= 128) {
    for (let i = (length - 1) >> 5; i != <usize>-1; --i) {
      h += mix16(at + (i << 4), SECRET + (i << 5));
      h += mix16(end - ((i + 1) << 4), SECRET + (i << 5) + 16);
    }
    return avalanche(h);
  }
  for (let i: usize = 0; i < 128; i += 16) h += mix16(at + i, SECRET + i);
  h = avalanche(h);
  let tail = mix16(end - 16, SECRET + 136 - 17);
  for (let i: usize = 128; i + 16 <= length; i += 16) tail += mix16(at + i, SECRET + i - 128 + 3);
  return avalanche(h + tail);
}

function start(): void {
  store<u64>(LANES, P32_3, 0);
  store<u64>(LANES, P64_1, 8);
  store<u64>(LANES, P64_2, 16);
  store<u64>(LANES, P64_3, 24);
  store<u64>(LANES, P64_4, 32);
  store<u64>(LANES, P32_2, 40);
  store<u64>(LANES, P64_5, 48);
  store<u64>(LANES, P32_1, 56);
}

/**
 * XXH3's loop over stripes. Two lanes of 64 bits a vector; the low and the high halves of four
 * lanes are gathered so that one widening multiplication serves two of them. A third faster than
 * the same loop in 64-bit integers.
 */
function accumulate(at: usize, secret: usize, stripes: usize): void {
  let a0 = v128.load(LANES),
    a1 = v128.load(LANES, 16),
    a2 = v128.load(LANES, 32),
    a3 = v128.load(LANES, 48);
  for (; stripes; --stripes, at += 64, secret += 8) {
    let d0 = v128.load(at),
      d1 = v128.load(at, 16);
    let k0 = v128.xor(d0, v128.load(secret)),
      k1 = v128.xor(d1, v128.load(secret, 16));
    let lo = v128.shuffle<u32>(k0, k1, 0, 2, 4, 6),
      hi = v128.shuffle<u32>(k0, k1, 1, 3, 5, 7);
    a0 = i64x2.add(
      i64x2.add(a0, v128.shuffle<u32>(d0, d0, 2, 3, 0, 1)),
      i64x2.extmul_low_i32x4_u(lo, hi),
    );
    a1 = i64x2.add(
      i64x2.add(a1, v128.shuffle<u32>(d1, d1, 2, 3, 0, 1)),
      i64x2.extmul_high_i32x4_u(lo, hi),
    );
    d0 = v128.load(at, 32);
    d1 = v128.load(at, 48);
    k0 = v128.xor(d0, v128.load(secret, 32));
    k1 = v128.xor(d1, v128.load(secret, 48));
    lo = v128.shuffle<u32>(k0, k1, 0, 2, 4, 6);
    hi = v128.shuffle<u32>(k0, k1, 1, 3, 5, 7);
    a2 = i64x2.add(
      i64x2.add(a2, v128.shuffle<u32>(d0, d0, 2, 3, 0, 1)),
      i64x2.extmul_low_i32x4_u(lo, hi),
    );
    a3 = i64x2.add(
      i64x2.add(a3, v128.shuffle<u32>(d1, d1, 2, 3, 0, 1)),
      i64x2.extmul_high_i32x4_u(lo, hi),
    );
  }
  v128.store(LANES, a0);
  v128.store(LANES, a1, 16);
  v128.store(LANES, a2, 32);
  v128.store(LANES, a3, 48);
}

function accumulateBlocks(at: usize, blocks: usize): void {
  for (; blocks; --blocks, at += BLOCK) {
    accumulate(at, SECRET, 16);
    for (let i: usize = 0; i < 64; i += 8) {
      const lane = load<u64>(LANES + i);
      store<u64>(LANES + i, (lane ^ (lane >> 47) ^ load<u64>(SECRET + LAST_SECRET + i)) * P32_1);
    }
  }
}

/**
 * Takes all whole blocks out of the window but the last, and moves the rest to the front.
 *
 * @param filled how many bytes the window holds
 * @param first whether they are the first of their input
 * @returns how many bytes are left in the window
 */
export function consume(filled: usize, first: bool): usize {
  if (first) start();
  const used = ((filled - 1) / BLOCK) * BLOCK;
  accumulateBlocks(input, used / BLOCK);
  const rest = filled - used;
  memory.copy(input - STRIPE, input + used - STRIPE, rest + STRIPE);
  return rest;
}

function longDigest(filled: usize, total: u64): u64 {
  if (total == <u64>filled) start();
  const blocks = (filled - 1) / BLOCK;
  accumulateBlocks(input, blocks);
  const used = blocks * BLOCK;
  accumulate(input + used, SECRET, (filled - 1 - used) / STRIPE);
  accumulate(input + filled - STRIPE, SECRET + LAST_SECRET - 7, 1);
  let h = total * P64_1;
  for (let i: usize = 0; i < 64; i += 16) h += mix16(LANES + i, SECRET + 11 + i);
  return avalanche(h);
}

/**
 * Writes the tag's characters: the digest, most significant bit first, in base64url.
 *
 * @param filled how many bytes the window holds
 * @param total how many bytes the input had in all
 */
export function finish(filled: usize, total: f64): void {
  let h: u64;
  if (total > 240) h = longDigest(filled, <u64>total);
  else if (filled > 16) h = mediumDigest(input, filled);
  else h = shortDigest(input, filled);
  for (let i: usize = 0; i < 10; ++i) {
    store<u8>(digest + i, load<u8>(ALPHABET + <usize>((h >> (58 - 6 * <u64>i)) & 63)));
  }
  store<u8>(digest + 10, load<u8>(ALPHABET + <usize>((h & 15) << 2)));
}
