import type { RenderThreadReport } from '../render/render-threads.ts';
import type { ServerThreadReport } from './server-threads.ts';

/** A thread of this process that renders or answers requests. */
export type ThreadReport = RenderThreadReport | ServerThreadReport;
