import { appEngine, createFetchSsrHandler } from '@ng-ssr/fetch';
import { Elysia } from 'elysia';

export { shutDownOnSignals } from '@ng-ssr/fetch';

export const app = new Elysia();
export const ssr = createFetchSsrHandler({ engine: appEngine() });
