import { appEngine, createKoaSsrServer } from '@ng-ssr/koa';
import Koa from 'koa';

export { appEngine, commonEngine, createKoaSsrServer, platformHosts } from '@ng-ssr/koa';
export type { KoaSsrOptions as ServerOptions } from '@ng-ssr/koa';

export const server = createKoaSsrServer({ engine: appEngine() });
export const app = new Koa();
