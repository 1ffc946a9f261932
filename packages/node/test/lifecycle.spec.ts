import { ssrMiddleware } from '@ng-ssr/node/server';
import { defineLifecycleTest } from './define-lifecycle-test.ts';

defineLifecycleTest(ssrMiddleware, (ssr) => (request, response) => {
  void ssr(request, response, () => response.writeHead(404).end());
});
