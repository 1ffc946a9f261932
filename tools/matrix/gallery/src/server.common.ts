import { commonEngine, createExpressSsrServer } from '@ng-ssr/express';
import express from 'express';
import bootstrap from './main.server';

// One build, so that files have the same names: MATRIX_SERVER says which server it is.
const { MATRIX_SERVER: kind, PORT } = process.env;
if (kind === 'angular') {
  // As Angular's guide mounts the server of each locale.
  void import('./scaffold.common').then((file) =>
    express()
      .use('/de', file.default)
      .listen(Number(PORT), () => console.log(`listening on http://localhost:${PORT}`)),
  );
} else if (kind !== undefined) {
  const engine = commonEngine({ bootstrap, fast: kind === 'fast' });
  void createExpressSsrServer({ engine, allowedHosts: ['localhost'] }).listen();
}
