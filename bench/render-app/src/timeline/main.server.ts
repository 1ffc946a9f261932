import { bootstrapApplication, type BootstrapContext } from '@angular/platform-browser';
import { provideServerRendering, RenderMode, withRoutes } from '@angular/ssr';
import { App } from './app';
import { providers } from './providers';

const routes = withRoutes([{ path: '**', renderMode: RenderMode.Server }]);
const onServer = [...providers, provideServerRendering(routes)];

export default (context: BootstrapContext) =>
  bootstrapApplication(App, { providers: onServer }, context);
