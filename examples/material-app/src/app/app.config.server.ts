import { isMainThread } from 'node:worker_threads';
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

const serverConfig: ApplicationConfig = {
  providers: [
    provideServerRendering(withRoutes(serverRoutes)),
    // Only for the page /boom, which shows how a server answers when a render fails.
    provideAppInitializer(failAtStart),
    // Only for the page /loop.
    { provide: IS_RENDER_THREAD, useValue: !isMainThread },
  ],
};

export const config = mergeApplicationConfig(appConfig, serverConfig);
