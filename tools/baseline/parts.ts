/** The parts of a record. */
export const PARTS = ['trace', 'transcripts', 'figures'] as const;

export type Part = (typeof PARTS)[number];

/** The files of a record, in its folder. */
export const FILES = {
  about: 'about.json',
  trace: 'trace.json',
  figures: 'figures.json',
  transcripts: 'transcripts',
} as const;
