import { createExpressSsrServer } from '@ng-ssr/express/server';
import { isLost, options, shutdown, tell } from '../../node/test/shutdown/child.ts';

const server = createExpressSsrServer(options);
server.app.use(({ url }, _response, next) => {
  if (!isLost(url)) next();
});
server.router.post('/api/echo', (request, response) => void request.pipe(response));
const { port, server: http } = await server.listen({
  port: 0,
  host: '127.0.0.1',
  announce: false,
  shutdown,
});
tell(port, http);
