/** The option `hits`, from the environment: HITS=before-middleware, else after middleware. */
export const hits =
  process.env['HITS'] === 'before-middleware' ? 'before-middleware' : 'after-middleware';
