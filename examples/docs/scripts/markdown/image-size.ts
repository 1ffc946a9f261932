import { readFileSync } from 'node:fs';

/** In CSS pixels. */
export interface ImageSize {
  readonly width: string;
  readonly height: string;
}

const PNG_SIGNATURE = '\u0089PNG';

/** The size of an SVG with a width and a height, or of a PNG; undefined for other images. */
export function readImageSize(file: string): ImageSize | undefined {
  const bytes = readFileSync(file);
  if (bytes.toString('latin1', 0, 4) === PNG_SIGNATURE) {
    // Its first chunk, IHDR, begins with both.
    return { width: String(bytes.readUInt32BE(16)), height: String(bytes.readUInt32BE(20)) };
  }
  const svg = /<svg[^>]*\swidth="(\d+)"[^>]*\sheight="(\d+)"/.exec(bytes.toString());
  return svg === null ? undefined : { width: svg[1]!, height: svg[2]! };
}
