/**
 * The server that `ng new --ssr` writes, line for line, on a build that is there already: the engine
 * reads that build's manifest, as it does from inside the bundle. With `compression` as its second
 * argument it has the middleware that Express's users put in front.
 */
import './production-mode.ts';
import '@angular/compiler';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ɵsetAngularAppEngineManifest as setManifest } from '@angular/ssr';
import { AngularNodeAppEngine, writeResponseToNodeResponse } from '@angular/ssr/node';
import compression from 'compression';
import express from 'express';

const dist = process.argv[2] ?? '';
const manifest = pathToFileURL(join(dist, 'server/angular-app-engine-manifest.mjs')).href;
setManifest(((await import(manifest)) as { default: Parameters<typeof setManifest>[0] }).default);

const app = express();
if (process.argv[3] === 'compression') app.use(compression());
const angularApp = new AngularNodeAppEngine();
app.use(express.static(join(dist, 'browser'), { maxAge: '1y', index: false, redirect: false }));
app.use((request, response, next) => {
  angularApp
    .handle(request)
    .then((answer) => (answer ? writeResponseToNodeResponse(answer, response) : next()))
    .catch(next);
});
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
