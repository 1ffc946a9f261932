export const KEYS = 12;

/** What a writer says of itself, all the time. */
export interface WriterMessage {
  /** The latest generation whose purge it knows to be done. */
  readonly purged: number;
}

/** The body of a page: it tells whether it is whole. */
export function toBody(key: number, generation: number): Buffer {
  return Buffer.alloc(
    1_000 + ((key * 7_919 + generation * 104_729) % 60_000),
    `${key}:${generation} `,
  );
}
