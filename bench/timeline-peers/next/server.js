/** Serves the production build, as `next start` does. */
import { createServer } from 'node:http';
import next from 'next';

const app = next({ dir: import.meta.dirname, dev: false });
await app.prepare();
const handle = app.getRequestHandler();
const server = createServer((request, response) => handle(request, response));
server.listen(0, '127.0.0.1', () => {
  console.log(`Listening on http://localhost:${server.address().port}/`);
});
