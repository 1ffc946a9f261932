import { createNodeSsrServer, withRouter } from '@ng-ssr/node/server';
import { isLost, LISTEN, options, tell } from './shutdown/child.ts';

const server = createNodeSsrServer({
  ...options,
  features: [...(options.features ?? []), withRouter()],
});
server.use((request, _response, next) => {
  if (!isLost(request.url)) next();
});
server.router.on(['GET', 'POST'], '/api/echo', (request, response) => {
  request.pipe(response);
});
const { port, server: http } = await server.listen(LISTEN);
tell(port, http);
