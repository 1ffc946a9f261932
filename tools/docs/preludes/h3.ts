import { appEngine, createFetchSsrHandler } from '@ng-ssr/fetch';
import { toH3 } from '@ng-ssr/fetch/h3';
import { H3 } from 'h3';

export const app = new H3();
export const pages = toH3(createFetchSsrHandler({ engine: appEngine() }));
