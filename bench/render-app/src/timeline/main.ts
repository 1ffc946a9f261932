import { bootstrapApplication } from '@angular/platform-browser';
import { App } from './app';
import { providers } from './providers';

bootstrapApplication(App, { providers }).catch((error: unknown) => console.error(error));
