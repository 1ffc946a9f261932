import { eachOf } from '../options/option.ts';
import type { Option } from '../options/option.ts';
import { CODINGS, type ContentCoding } from './accept-encoding.ts';

/** A list of codings. */
export const codings: Option<readonly ContentCoding[]> = eachOf(
  (coding) => CODINGS.includes(coding as ContentCoding),
  `a list of ${CODINGS.join(', ')}`,
);
