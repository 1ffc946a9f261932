import { mergeApplicationConfig, type ApplicationConfig } from '@angular/core';
import { provideServerRendering, RenderMode, withRoutes } from '@angular/ssr';
import { contentsHtml } from '../../generated/content/contents-html';
import { appConfig } from './app.config';
import { CONTENTS_HTML } from './layout/contents';

const serverConfig: ApplicationConfig = {
  providers: [
    { provide: CONTENTS_HTML, useValue: contentsHtml },
    provideServerRendering(withRoutes([{ path: '**', renderMode: RenderMode.Prerender }])),
  ],
};

export const config = mergeApplicationConfig(appConfig, serverConfig);
