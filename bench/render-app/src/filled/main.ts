import { bootstrapApplication } from '@angular/platform-browser';
import { App } from '../app';
import { filledConfig } from './config';

bootstrapApplication(App, filledConfig).catch((error: unknown) => console.error(error));
