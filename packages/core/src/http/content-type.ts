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

// Also what compression middleware takes for text: an answer that it encodes must not keep a strong tag.
const TEXT =
  /^(?:text\/|font\/[ot]tf|image\/(?:bmp|x-icon|vnd\.microsoft\.icon)|model\/gltf-binary)/;
const DATA =
  /^application\/(?:java|ecma)script|^application\/(?:json|xml|toml|wasm|postscript|vnd\.ms-font)/;
const OTHERS = /\+(?:json|xml|yaml)|^message\/rfc822/;

/** Whether content of this type shrinks when encoded; images, fonts and archives mostly do not. */
export function isCompressible(contentType: string): boolean {
  return TEXT.test(contentType) || DATA.test(contentType) || OTHERS.test(contentType);
}
