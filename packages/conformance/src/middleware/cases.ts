import type { ConformanceCase } from '../conformance-case.ts';
import { accessCases } from './access-cases.ts';
import { encodingCases } from './encoding-cases.ts';
import { headerCases } from './header-cases.ts';
import { storedCases } from './stored-cases.ts';

/** Every case of an adapter after its framework's own middleware, whose headers differ. */
export const middlewareCases: readonly ConformanceCase[] = [
  ...headerCases,
  ...encodingCases,
  ...accessCases,
  ...storedCases,
].map((each) => ({ ...each, parity: false }));
