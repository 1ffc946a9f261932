import { provideBrowserGlobalErrorListeners, type ApplicationConfig } from '@angular/core';
import {
  provideClientHydration,
  withEventReplay,
  withNoIncrementalHydration,
} from '@angular/platform-browser';
import { provideRouter, withComponentInputBinding, withInMemoryScrolling } from '@angular/router';
import { withSkewRecovery } from '@ng-ssr/angular';
import { routes } from './app.routes';

export const appConfig: ApplicationConfig = {
  providers: [
    provideBrowserGlobalErrorListeners(),
    provideRouter(
      routes,
      withComponentInputBinding(),
      withInMemoryScrolling({ scrollPositionRestoration: 'enabled', anchorScrolling: 'enabled' }),
      withSkewRecovery(),
    ),
    // The application starts late: what readers do before is not lost.
    provideClientHydration(withEventReplay(), withNoIncrementalHydration()),
  ],
};
