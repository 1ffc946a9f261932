import { ssrMiddleware } from '@ng-ssr/express/server';
import express from 'express';
import { defineLifecycleTest } from '../../node/test/define-lifecycle-test.ts';

defineLifecycleTest(ssrMiddleware, (ssr) => express().use(ssr));
