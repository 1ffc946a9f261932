import { createExpressSsrServer } from '@ng-ssr/express/server';
import { isLost, LISTEN, options, tell } from '../../node/test/shutdown/child.ts';

const server = createExpressSsrServer(options);
server.app.use(({ url }, _response, next) => {
  if (!isLost(url)) next();
});
server.router.post('/api/echo', (request, response) => void request.pipe(response));
const { port, server: http } = await server.listen(LISTEN);
tell(port, http);
