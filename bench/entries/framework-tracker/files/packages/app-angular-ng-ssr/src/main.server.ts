import { mergeApplicationConfig } from '@angular/core';
import { bootstrapApplication, type BootstrapContext } from '@angular/platform-browser';
import { provideServerRendering, RenderMode, withRoutes } from '@angular/ssr';
import { App } from './app';
import { browserConfig } from './config';

const serverConfig = mergeApplicationConfig(browserConfig, {
  providers: [
    provideServerRendering(
      withRoutes([
        { path: 'client-side-rendered/**', renderMode: RenderMode.Client },
        { path: 'client-side-rendered', renderMode: RenderMode.Client },
        { path: '**', renderMode: RenderMode.Server },
      ]),
    ),
  ],
});

export default (context: BootstrapContext) => bootstrapApplication(App, serverConfig, context);
