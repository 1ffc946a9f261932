import { appEngine, createFetchSsrHandler, toReqHandler } from '@ng-ssr/fetch';

// The benchmark is about renders: each request has its own.
const ssr = createFetchSsrHandler({
  engine: appEngine(),
  allowedHosts: ['localhost'],
  cache: false,
});

export const render = (request: Request): Response | Promise<Response> => ssr(request);
export const reqHandler = toReqHandler(render);
