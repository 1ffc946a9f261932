import { createNodeSsrServer } from '@ng-ssr/node/server';
import { isLost, options, shutdown, tell } from './shutdown/child.ts';

const server = createNodeSsrServer(options);
server.use((request, _response, next) => {
  if (!isLost(request.url)) next();
});
server.router.on(['GET', 'POST'], '/api/echo', (request, response) => {
  request.pipe(response);
});
const { port, server: http } = await server.listen({
  port: 0,
  host: '127.0.0.1',
  announce: false,
  shutdown,
});
tell(port, http);
