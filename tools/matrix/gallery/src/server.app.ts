import { appEngine, createExpressSsrServer } from '@ng-ssr/express';

// One build, so that files have the same names: MATRIX_SERVER says which server it is.
const { MATRIX_SERVER: kind } = process.env;
if (kind === 'angular') void import('./scaffold.app');
else if (kind !== undefined) {
  const engine = appEngine({ fast: kind === 'fast' });
  void createExpressSsrServer({ engine, allowedHosts: ['localhost'] }).listen();
}
