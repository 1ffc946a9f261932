import { setFlagsFromString } from 'node:v8';
import { AngularNodeAppEngine } from '@angular/ssr/node';
import { appEngine } from '@ng-ssr/engines';
import { afterFirst, chooseSide, engineSide, renderBy, threadSide } from './side';

/** The app engine in each of the ways that are compared. */
export const render = chooseSide({
  bare: () => {
    const engine = new AngularNodeAppEngine({ allowedHosts: ['localhost'] });
    return renderBy((request) => engine.handle(request));
  },
  ours: () => engineSide(appEngine()),
  // Without V8's flag: what it saves.
  'ours-pretenuring': () =>
    afterFirst(engineSide(appEngine()), () => setFlagsFromString('--allocation-site-pretenuring')),
  slow: () => engineSide(appEngine({ fast: false })),
  'ours-thread': () => threadSide(appEngine()),
  'slow-thread': () => threadSide(appEngine({ fast: false })),
});
