import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packagesDir } from '../../constants.ts';
import type { NodeServerRenderHandler, ServerRenderHandler } from '../types.ts';

export async function buildAngularNgSsrHandler(): Promise<ServerRenderHandler> {
  const entryPath = join(packagesDir, 'app-angular-ng-ssr', 'dist', 'server', 'server.mjs');
  const { reqHandler } = (await import(pathToFileURL(entryPath).href)) as {
    reqHandler: NodeServerRenderHandler;
  };
  return { type: 'node', handler: reqHandler };
}
