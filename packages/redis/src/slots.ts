/** How many slots the keys of a cluster are divided into. */
export const SLOTS = 16_384;

/** The slot of a key: that of its hash tag, the part in braces, if it has one. */
export function slotOf(key: string): number {
  const start = key.indexOf('{') + 1;
  const end = start === 0 ? -1 : key.indexOf('}', start);
  return crc16(Buffer.from(end > start ? key.slice(start, end) : key)) % SLOTS;
}

/** CRC-16/XMODEM, as the specification of Redis Cluster has it. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) crc = ((crc << 8) & 0xffff) ^ TABLE[(crc >> 8) ^ byte]!;
  return crc;
}

const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc;
});
