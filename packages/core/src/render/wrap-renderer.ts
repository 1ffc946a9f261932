import type { Renderer } from './renderer.ts';

/** A renderer that does more with each render, and leaves all else to another. */
export function wrapRenderer(renderer: Renderer, render: Renderer['render']): Renderer {
  return {
    render,
    admitConnections: () => renderer.admitConnections?.(),
    get minConcurrency() {
      return renderer.minConcurrency;
    },
    get firstConcurrency() {
      return renderer.firstConcurrency;
    },
    times: () => renderer.times(),
    ready: () => renderer.ready(),
    close: () => renderer.close(),
  };
}
