/** What a page shows of a visitor. */
export interface Visitor {
  readonly name: string;
  readonly count: number;
  readonly recommendations: readonly string[];
}

export const NOBODY: Visitor = { name: '', count: 0, recommendations: [] };
