import type { SsrError } from '../../errors.ts';
import type { RenderJob } from '../../render/render-job.ts';
import type { Rendered } from '../../render/render-whole.ts';

/** A render, and the callbacks that settle it. */
export interface RenderTask {
  readonly job: RenderJob;
  readonly resolve: (rendered: Rendered | undefined) => void;
  readonly reject: (error: SsrError) => void;
  /** Whether a thread was lost during an earlier try. */
  isRetry: boolean;
}
