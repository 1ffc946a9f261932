export type { DomClasses } from './dom-classes.ts';
export { createDom } from './dom.ts';
export type { Dom, SsrDocument } from './dom.ts';
export { DocumentWriter, SelectorMatches } from './bytes/index.ts';
export type {
  AttributeTest,
  Compound,
  SelectorChain,
  Selectors,
  Shape,
  WriterOptions,
  WrittenPage,
} from './bytes/index.ts';
export { PROBED_PAGE, probeContract } from './contract-probe.ts';
