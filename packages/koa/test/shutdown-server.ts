import { createKoaSsrServer } from '@ng-ssr/koa/server';
import { isLost, LISTEN, options, tell } from '../../node/test/shutdown/child.ts';

const server = createKoaSsrServer(options);
server.app.use(({ url }, next) => (isLost(url) ? new Promise(() => undefined) : next()));
server.router.post('/api/echo', (context) => {
  context.body = context.req;
});
const { port, server: http } = await server.listen(LISTEN);
tell(port, http);
