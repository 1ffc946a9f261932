import type { Chart, Machine, Question } from '../benchmarks/chart';

/** A heading of the second or third level. */
export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly level: number;
}

/** A page of the documentation, made from its Markdown. */
export interface PageContent {
  /** Its route, without slashes around it. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** The article, its title included; missing where the document already has it. */
  readonly html?: string;
  readonly headings: readonly Heading[];
  /** Those before and after it, in the order of the contents. */
  readonly previous?: PageLink;
  readonly next?: PageLink;
  /** The file in the repository, `docs/caching.md`; pages of the API have none. */
  readonly file?: string;
}

/** A page with something of its own in its article. */
export interface PartedContent extends PageContent {
  /** In place of `html`: what is above that, and below it. */
  readonly parts?: readonly [string, string];
}

/** The home page: the README around a chart of the newest results. */
export interface HomeContent extends PartedContent {
  readonly question: Omit<Question, 'charts'>;
  readonly shown: Chart;
}

export interface BenchmarksContent extends PartedContent {
  readonly machines: readonly Machine[];
  /** The chart to begin with: of the first machine's scenario "browser". */
  readonly shown: Chart;
}

/** A page as the contents name it. */
export interface PageLink {
  readonly path: string;
  readonly title: string;
}
