import type { ApplicationConfig } from '@angular/core';
import { provideClientHydration } from '@angular/platform-browser';
import { provideRouter, withComponentInputBinding } from '@angular/router';
import { resolveEntries } from './entries';
import { Table } from './table';

export const browserConfig: ApplicationConfig = {
  providers: [
    provideRouter(
      [{ path: '', component: Table, resolve: { entries: resolveEntries } }],
      withComponentInputBinding(),
    ),
    provideClientHydration(),
  ],
};
