import { appEngine, createExpressSsrServer } from '@ng-ssr/express';
import express from 'express';

export { appEngine } from '@ng-ssr/express';
export { express };

export const server = createExpressSsrServer({ engine: appEngine() });
export const app = express();
