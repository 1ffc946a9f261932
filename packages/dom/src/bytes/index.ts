export { SelectorMatches } from './selector-matches.ts';
export type { AttributeTest, Compound, SelectorChain, Selectors } from './selectors.ts';
export type { Shape } from './reparsed-shapes.ts';
export { DocumentWriter, type WriterOptions, type WrittenPage } from './write-document.ts';
