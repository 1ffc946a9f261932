import type { RenderEngine } from '../engine.ts';

/**
 * Says which page errors are a 500 with this engine's `failOnError`; undefined if that is `false`, or no
 * option of the engine.
 */
export function failOnErrorHint(engine: RenderEngine): string | undefined {
  if (!('failOnError' in engine)) return undefined;
  switch (engine.failOnError) {
    case undefined:
      return (
        'The engine has no failOnError: errors that keep a page from being complete are a 500. With ' +
        'failOnError: false such a page is answered as far as it is rendered, if the application starts.'
      );
    case true:
      return (
        'The engine has failOnError: true, and every error of a page is a 500. Without it, those that a ' +
        'complete page leaves unhandled are reported, and the page is answered.'
      );
    case false:
      return undefined;
  }
}
