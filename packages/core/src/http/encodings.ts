import { eachOf } from '../options/option.ts';
import type { Option } from '../options/option.ts';
import { ENCODINGS, type ContentEncoding } from './accept-encoding.ts';

/** A list of encodings. */
export const encodings: Option<readonly ContentEncoding[]> = eachOf(
  (encoding) => ENCODINGS.includes(encoding as ContentEncoding),
  `a list of ${ENCODINGS.map((name) => `'${name}'`).join(', ')}`,
);
