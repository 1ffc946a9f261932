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
        'The engine option failOnError is not set: an error that leaves a page incomplete is answered with ' +
        '500. Set failOnError: false to answer with what was rendered, provided that the application starts.'
      );
    case true:
      return (
        'The engine option failOnError is true: every error of a page is answered with 500. Without it, an ' +
        'unhandled error of a complete page is reported, and the page is answered.'
      );
    case false:
      return undefined;
  }
}
