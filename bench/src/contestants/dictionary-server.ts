/** The node adapter on a build of which browsers may keep pages as dictionaries. Its argument is the output path. */
import { join } from 'node:path';
import { createNodeSsrServer, withDictionaries } from '@ng-ssr/node/server';

await createNodeSsrServer({
  engine: () => null,
  allowedHosts: ['127.0.0.1'],
  files: {
    folder: join(process.argv[2] ?? '', 'browser'),
    // Browsers validate pages each time, and keep them as dictionaries for a day.
    cacheControl: (path) =>
      path.endsWith('.html') ? 'public, max-age=0, stale-while-revalidate=86400' : undefined,
  },
  features: [withDictionaries()],
}).listen();
