import type { RenderThreadReport } from '../render/render-threads.ts';

/** A thread of this process that renders or answers requests. */
export type ThreadReport = RenderThreadReport | ServerThreadReport;

/** A server thread, for the inspector. */
export interface ServerThreadReport {
  readonly threadId: number;
  readonly kind: 'server';
  readonly state: 'starting' | 'ready' | 'ending';
  /** Requests that it has answered. */
  readonly done: number;
}
