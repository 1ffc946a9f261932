import '@angular/localize/init';
import { provideHttpClient } from '@angular/common/http';
import { Component, provideZonelessChangeDetection, type Type } from '@angular/core';
import {
  bootstrapApplication,
  type BootstrapContext,
  provideClientHydration,
  withEventReplay,
  withI18nSupport,
  withIncrementalHydration,
} from '@angular/platform-browser';
import { provideServerRendering, renderApplication } from '@angular/platform-server';
import { provideRouter, RouterOutlet } from '@angular/router';
import * as containers from './containers.ts';
import * as content from './content.ts';
import * as controls from './controls.ts';

const { dates, ...controlPages } = controls;

/** Pages of the gallery by path. */
export const pages: Readonly<Record<string, Type<unknown>>> = {
  ...controlPages,
  ...containers,
  ...content,
};

const allowedHosts = ['localhost'];

const DOCUMENT = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Gallery</title><base href="/">
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="styles.css"></head>
<body class="mat-typography"><app-root></app-root><noscript><p>no script</p></noscript><script src="main.js" type="module"></script></body></html>`;

class App {}
Component({ selector: 'app-root', imports: [RouterOutlet], template: '<router-outlet />' })(App);

/** How much of hydration there is. */
export type Hydration = 'none' | 'full' | 'incremental';

function bootstrapWith(hydration: Hydration) {
  const providers = [
    provideZonelessChangeDetection(),
    provideRouter(Object.entries(pages).map(([path, component]) => ({ path, component }))),
    provideHttpClient(),
    provideServerRendering(),
    dates,
    hydration === 'none'
      ? []
      : hydration === 'full'
        ? provideClientHydration(withI18nSupport(), withEventReplay())
        : provideClientHydration(withIncrementalHydration(), withEventReplay(), withI18nSupport()),
  ];
  return (context: BootstrapContext) => bootstrapApplication(App, { providers }, context);
}

/** Makes the document that Angular renders into; undefined for Angular's own. */
export type MakeDocument = ((html: string, url: string) => Document) | undefined;

/** Renders a page; ids of Material and the CDK, which count up in a process, are counted from 0 in each page. */
export async function renderGallery(
  path: string,
  hydration: Hydration,
  makeDocument: MakeDocument,
): Promise<string> {
  const url = `http://localhost/${path}`;
  const document = (makeDocument?.(DOCUMENT, url) ?? DOCUMENT) as string;
  return renumber(
    await renderApplication(bootstrapWith(hydration), { document, url, allowedHosts }),
  );
}

function renumber(html: string): string {
  const numbers = new Map<string, number>();
  return html.replace(
    /\b((?:cdk|mat|mdc|_mat|ng)-[a-z-]*?)-?(\d+(?:-\d+)*)\b/g,
    (id, name: string) => {
      if (!numbers.has(id)) numbers.set(id, numbers.size);
      return `${name}-${numbers.get(id)}`;
    },
  );
}
