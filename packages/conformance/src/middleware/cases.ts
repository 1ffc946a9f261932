import type { ConformanceCase } from '../conformance-case.ts';
import { accessCases } from './access-cases.ts';
import { encodingCases } from './encoding-cases.ts';
import { fieldCases } from './field-cases.ts';
import { storedCases } from './stored-cases.ts';

/** Every case of an adapter after its framework's own middleware, whose fields differ. */
export const middlewareCases: readonly ConformanceCase[] = [
  ...fieldCases,
  ...encodingCases,
  ...accessCases,
  ...storedCases,
].map((each) => ({ ...each, parity: false }));
