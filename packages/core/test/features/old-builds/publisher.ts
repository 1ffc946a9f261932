import { withOldBuilds } from '@ng-ssr/core';
/** Starts a handler with a builds folder, says when its build is in it, and waits. */
import { SsrHandler } from '@ng-ssr/core/adapter';

const [browserFolder, folder] = process.argv.slice(2);
const handler = new SsrHandler({
  engine: () => null,
  allowedHosts: ['localhost'],
  files: { folder: browserFolder, encodings: [] },
  features: [withOldBuilds({ folder: folder!, keep: 3 })],
  onError: (error) => console.log(`error ${error.code}: ${error.message} ${String(error.cause)}`),
});
console.log('starting');
await handler.ready();
console.log('ready');
setInterval(() => undefined, 60_000);
