import type { PlatformRef } from '@angular/core';
import { domOf } from './angular-dom.ts';
import { currentDocumentClass, findInitialConfig } from './angular-hooks.ts';
import type { FastRender } from './fast-path.ts';

/** A fast render, or what takes its place in a rehearsal. */
export type Rehearsal = Pick<FastRender, 'enter'> & Partial<Pick<FastRender, 'follow'>>;

/**
 * Begins a render that ends where the application would start, so that none of its code runs. The first visitor then
 * need not wait for what only the first render does: Angular builds its routes and its platform, the two DOMs are
 * compared, and the document is parsed.
 *
 * What fails here fails the first render, too.
 *
 * @param isFast - Whether pages are rendered with the DOM of `@ng-ssr/dom`.
 * @param handle - Has Angular handle a request, and calls `enter` before the application starts.
 */
export async function rehearse(
  isFast: boolean,
  handle: (rehearsal: Rehearsal) => Promise<unknown>,
): Promise<void> {
  const enter = ({ injector }: PlatformRef): never => {
    const found = findInitialConfig(injector);
    const documentClass = currentDocumentClass();
    const dom = isFast && found && documentClass && domOf(documentClass);
    if (dom) dom.release(dom.createDocument(found.html, found.config.url));
    throw new Error('rehearsal');
  };
  await handle({ enter }).catch(() => undefined);
}
