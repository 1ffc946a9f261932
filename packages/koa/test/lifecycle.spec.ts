import { ssrMiddleware } from '@ng-ssr/koa/server';
import Koa from 'koa';
import { defineLifecycleTest } from '../../node/test/define-lifecycle-test.ts';

defineLifecycleTest(ssrMiddleware, (ssr) => new Koa().use(ssr).callback());
