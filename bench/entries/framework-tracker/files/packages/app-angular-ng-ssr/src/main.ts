import { bootstrapApplication } from '@angular/platform-browser';
import { App } from './app';
import { browserConfig } from './config';

bootstrapApplication(App, browserConfig).catch((error) => console.error(error));
