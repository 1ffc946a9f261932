import type { CallsMade } from '../render/calls-made.ts';

/** What is known of a page that a request has waited for. */
export interface PageTimes {
  /** How long the request has waited. */
  readonly waitMs?: number | undefined;
  /** What it was made of; undefined for another render's page. */
  readonly calls?: CallsMade | undefined;
}
