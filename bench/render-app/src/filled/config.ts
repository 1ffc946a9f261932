import type { ApplicationConfig } from '@angular/core';
import { provideClientHydration, withEventReplay } from '@angular/platform-browser';
import { provideRouter } from '@angular/router';
import { LargePage } from '../pages/large';
import { SmallPage } from '../pages/small';

export const filledConfig: ApplicationConfig = {
  providers: [
    provideRouter([
      { path: 'small/:id', component: SmallPage },
      { path: 'large/:id', component: LargePage },
    ]),
    provideClientHydration(withEventReplay()),
  ],
};
