import { provideClientHydration, withEventReplay } from '@angular/platform-browser';
import { provideRouter } from '@angular/router';

/** What `ng new --ssr` provides. All paths are of one page. */
export const providers = [
  provideRouter([{ path: '**', children: [] }]),
  provideClientHydration(withEventReplay()),
];
