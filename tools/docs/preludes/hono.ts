import { appEngine, createFetchSsrHandler } from '@ng-ssr/fetch';
import { toHono } from '@ng-ssr/fetch/hono';
import { Hono } from 'hono';

export { toHono } from '@ng-ssr/fetch/hono';
export { Hono } from 'hono';

export const app = new Hono();
export const pages = toHono(createFetchSsrHandler({ engine: appEngine() }));
