import { bootstrapApplication } from '@angular/platform-browser';
import { browserConfig } from './config';
import { Spiral } from './spiral';

bootstrapApplication(Spiral, browserConfig).catch((error) => console.error(error));
