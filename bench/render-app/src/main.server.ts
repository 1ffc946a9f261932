import { bootstrapApplication, type BootstrapContext } from '@angular/platform-browser';
import { App } from './app';
import { serverConfig } from './config.server';

export default (context: BootstrapContext) => bootstrapApplication(App, serverConfig, context);
