import {
  mergeApplicationConfig,
  provideAppInitializer,
  type ApplicationConfig,
} from '@angular/core';
import { provideServerRendering, withRoutes } from '@angular/ssr';
import { appConfig } from './app.config';
import { serverRoutes } from './app.routes.server';
import { failAtStart } from './server/failure';

const serverConfig: ApplicationConfig = {
  providers: [
    provideServerRendering(withRoutes(serverRoutes)),
    // Only for the page /boom, which shows how a server answers when a render fails.
    provideAppInitializer(failAtStart),
  ],
};

export const config = mergeApplicationConfig(appConfig, serverConfig);
