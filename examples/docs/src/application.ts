import { mergeApplicationConfig } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { ROUTES } from '@angular/router';
import { App } from './app/app';
import { appConfig } from './app/app.config';
import { otherPaths } from './app/app.routes';

// The server's routes end without it: an unknown path is answered with the page for 404.
const inBrowser = { providers: [{ provide: ROUTES, multi: true, useValue: [otherPaths] }] };

bootstrapApplication(App, mergeApplicationConfig(appConfig, inBrowser)).catch((error: unknown) =>
  console.error(error),
);
