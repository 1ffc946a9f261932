import type { RenderEngine } from '../engine.ts';

/** Says which page errors are a 500 with this engine's `failOnError`; undefined if it is not set. */
export function failOnErrorHint({ failOnError }: RenderEngine): string | undefined {
  if (failOnError !== true) return undefined;
  return (
    'The engine option failOnError is true: every error of a page is a 500. Without it, an error in a component is ' +
    'reported, and the page is sent as Angular sends it.'
  );
}
