import { mergeApplicationConfig } from '@angular/core';
import { bootstrapApplication, type BootstrapContext } from '@angular/platform-browser';
import { provideServerRendering, withRoutes } from '@angular/ssr';
import { serverRoutes } from './app/server-routes';
import { App, config } from './app/standalone';

const server = mergeApplicationConfig(config, {
  providers: [provideServerRendering(withRoutes(serverRoutes))],
});

export default (context: BootstrapContext) => bootstrapApplication(App, server, context);
