import { bootstrapApplication } from '@angular/platform-browser';
import { App, config } from './app/standalone';

bootstrapApplication(App, config).catch((error: unknown) => console.error(error));
