export * from './server.ts';
export * from '@ng-ssr/engines';
