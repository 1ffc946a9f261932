/** A page before it is made into HTML. */
export interface SourcePage {
  /** Its route, without slashes around it: `start/koa`; that of the home page is empty. */
  readonly path: string;
  /** Its file in the repository; a generated page has none. */
  readonly file: string | undefined;
  readonly markdown: string;
}

export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly level: number;
}

/** The text below one heading, for the search. */
export interface Passage {
  readonly id: string;
  readonly heading: string;
  readonly text: string;
  /** Of its blocks. */
  readonly code: string;
}

/** What a page's Markdown becomes. */
export interface Rendered {
  readonly title: string;
  /** Its first paragraph, as plain text of at most 160 characters. */
  readonly description: string;
  readonly html: string;
  /** Those of the second and third level. */
  readonly headings: readonly Heading[];
  readonly passages: readonly Passage[];
}

export interface Page extends SourcePage, Rendered {}

/** A part of the contents, with its pages in their order. */
export interface Section<P> {
  readonly title: string;
  readonly pages: readonly P[];
}
