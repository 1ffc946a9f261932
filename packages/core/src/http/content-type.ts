import { lookup } from 'mrmime';

/** The media type of a file by its name, with `charset=utf-8` for text (RFC 9110 section 8.3). */
export function contentTypeOf(path: string): string {
  const type = lookup(path) ?? OTHER_TYPES.get(endingOf(path)) ?? 'application/octet-stream';
  return isText(type) ? `${type}; charset=utf-8` : type;
}

/** Types in use that mrmime lacks. */
const OTHER_TYPES = new Map([
  ['ico', 'image/x-icon'],
  ['map', 'application/json'],
]);

function endingOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).toLowerCase();
}

function isText(type: string): boolean {
  return (
    type.startsWith('text/') ||
    type === 'application/json' ||
    type === 'application/manifest+json' ||
    type === 'image/svg+xml'
  );
}

const COMPRESSIBLE = [
  'text/',
  'font/ttf',
  'font/otf',
  'image/bmp',
  'image/x-icon',
  'image/vnd.microsoft.icon',
  'application/javascript',
  'application/json',
  'application/wasm',
  'application/xml',
  'application/vnd.ms-fontobject',
];

/** Whether content of this type shrinks when encoded; images, fonts and archives mostly do not. */
export function isCompressible(contentType: string): boolean {
  const isText = contentType.includes('+json') || contentType.includes('+xml');
  return isText || COMPRESSIBLE.some((prefix) => contentType.startsWith(prefix));
}
