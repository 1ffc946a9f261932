import {
  mergeApplicationConfig,
  provideAppInitializer,
  type ApplicationConfig,
} from '@angular/core';
import { provideServerRendering, withRoutes } from '@angular/ssr';
import { appConfig } from './app.config';
import { serverRoutes } from './app.routes.server';
import { failAtStart } from './server/failure';
import { IS_RENDER_THREAD } from './server/render-thread';

/** As app.config.server.ts, without threads. */
const serverConfig: ApplicationConfig = {
  providers: [
    provideServerRendering(withRoutes(serverRoutes)),
    provideAppInitializer(failAtStart),
    { provide: IS_RENDER_THREAD, useValue: false },
  ],
};

export const config = mergeApplicationConfig(appConfig, serverConfig);
