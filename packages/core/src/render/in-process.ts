import type { RenderEngine } from '../engine.ts';
import { renderWhole } from './render-whole.ts';
import type { Renderer } from './renderer.ts';

/** Renders on this thread. A render that nobody wants any more goes on: nothing can stop it. */
export function renderInProcess(engine: () => RenderEngine): Renderer {
  return {
    render: ({ request, requestContext, name }) =>
      renderWhole(engine, request, requestContext, name),
    close: () => Promise.resolve(),
  };
}
