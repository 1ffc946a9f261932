import { createRequire } from 'node:module';
import { contentTypeOf, isCompressible } from '../../core/src/http/content-type.ts';
import { mimes } from 'mrmime';
import { expect, it } from 'vitest';

const require = createRequire(import.meta.resolve('compression'));
const encodes = require('compressible') as (contentType: string) => boolean;

// An answer that middleware encodes would keep the strong tag of bytes that are not encoded.
it('what the package compression encodes counts as text', () => {
  const types = Object.keys(mimes).map((ending) => contentTypeOf(`/file.${ending}`));
  expect(types.length).toBeGreaterThan(300);
  expect(types.filter((type) => encodes(type) === true && !isCompressible(type))).toEqual([]);
});
