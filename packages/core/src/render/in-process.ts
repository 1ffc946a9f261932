import type { RenderEngine } from '../engine.ts';
import type { SsrError } from '../errors.ts';
import { renderInScope } from './render-scope.ts';
import { renderWhole } from './render-whole.ts';
import type { Renderer } from './renderer.ts';

/** What a renderer on this thread needs. */
export interface InProcessOptions {
  /** The engine, set up. */
  readonly engine: () => RenderEngine;
  /** Whether an error that nobody catches fails the render that it belongs to. */
  readonly failOnError: boolean;
  /** Hears of errors that renders leave behind. */
  readonly onError: (error: SsrError) => void;
}

/** Renders on this thread. A render that nobody wants any more goes on: nothing can stop it. */
export function renderInProcess({ engine, failOnError, onError }: InProcessOptions): Renderer {
  return {
    render: ({ request, requestContext, name }) =>
      renderInScope(() => renderWhole(engine, request, requestContext, name), {
        name,
        failsOnStray: failOnError,
        onStray: onError,
      }),
    ready: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
