import type { CallRules } from '@ng-ssr/fetch';
import { Hono } from 'hono';

export { appEngine, createFetchSsrHandler, toReqHandler } from '@ng-ssr/fetch';
export { angularAppEngine, createNeutralSsrHandler } from '@ng-ssr/fetch/neutral';
export type { CallRules } from '@ng-ssr/fetch';

export const app = new Hono();
export const calls: CallRules = {};
