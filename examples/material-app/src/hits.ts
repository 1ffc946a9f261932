/** The option `serveHits`, from the environment: HITS=before-middleware, else after middleware. */
export const serveHits =
  process.env['HITS'] === 'before-middleware' ? 'before-middleware' : 'after-middleware';
