import type { EnvironmentProviders, Provider } from '@angular/core';
import {
  provideClientHydration,
  withEventReplay,
  withI18nSupport,
  withIncrementalHydration,
} from '@angular/platform-browser';

/** Of both applications, in the browser and in the server. */
export const providers: (EnvironmentProviders | Provider)[] = [
  provideClientHydration(withEventReplay(), withI18nSupport(), withIncrementalHydration()),
];
