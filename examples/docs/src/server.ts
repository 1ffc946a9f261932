import { join } from 'node:path';
import { appEngine, createNodeSsrServer } from '@ng-ssr/node';
import { answerTiming } from './server/answer-timing';
import { readScriptHashes } from './server/script-hashes';
import { securityHeaders } from './server/security-headers';

const server = createNodeSsrServer({
  engine: appEngine(),
  probes: { live: '/livez', ready: '/readyz' },
});

server.use(answerTiming);

export const reqHandler = server.reqHandler;
if (server.isMainModule(import.meta.url)) {
  // Here alone: `ng serve` and the prerendering have other scripts, and no built pages.
  const scriptHashes = readScriptHashes(join(import.meta.dirname, '../browser'));
  server.use(securityHeaders(scriptHashes));
  await server.listen();
}
