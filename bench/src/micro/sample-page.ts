/** Bytes that look like a page: ASCII with line ends. */
export function createSamplePage(bytes: number): Buffer {
  const page = Buffer.allocUnsafeSlow(bytes);
  for (let i = 0; i < bytes; i++) page[i] = i % 80 === 79 ? 10 : 32 + ((i * 7 + (i % 13)) % 90);
  return page;
}
