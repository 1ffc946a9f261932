import { mergeApplicationConfig } from '@angular/core';
import { bootstrapApplication, type BootstrapContext } from '@angular/platform-browser';
import { provideServerRendering, RenderMode, type ServerRoute, withRoutes } from '@angular/ssr';
import { App } from '../app';
import { filledConfig } from './config';

/** The first pages of a route, as many as a variable says, are rendered by the build. */
const route = (name: string): ServerRoute => ({
  path: `${name}/:id`,
  renderMode: RenderMode.Prerender,
  getPrerenderParams: async () => {
    const length = Number(process.env[`PRERENDER_${name.toUpperCase()}`] ?? 0);
    return Array.from({ length }, (_, id) => ({ id: String(id) }));
  },
});

const config = mergeApplicationConfig(filledConfig, {
  providers: [
    provideServerRendering(
      withRoutes([route('small'), route('large'), { path: '**', renderMode: RenderMode.Server }]),
    ),
  ],
});

export default (context: BootstrapContext) => bootstrapApplication(App, config, context);
