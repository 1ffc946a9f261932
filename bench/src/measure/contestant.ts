/** One server program of the benchmark. */
export interface Contestant {
  /** Unique among all; what a table shows. */
  readonly name: string;
  readonly runtime: 'node' | 'bun';
  /** The program and its arguments. It prints `Listening on <url>`. */
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** False where the server needs more than the one core that servers have. */
  readonly isPinned?: boolean;
  /** False where what a server does after its start is not to be waited for. */
  readonly settles?: boolean;
  /** What a reader must know to read the numbers rightly. */
  readonly note?: string;
}
