import { accessCases } from './access-cases.ts';
import { codingCases } from './coding-cases.ts';
import { fieldCases } from './field-cases.ts';

/** Every case of an adapter behind its framework's own middleware. */
export const middlewareCases = [...fieldCases, ...codingCases, ...accessCases];
