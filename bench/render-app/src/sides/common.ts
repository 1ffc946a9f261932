import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REQUEST, RESPONSE_INIT } from '@angular/core';
import { CommonEngine } from '@angular/ssr/node';
import type { ApplicationRef, Type } from '@angular/core';
import type { BootstrapContext } from '@angular/platform-browser';
import { commonEngine } from '@ng-ssr/engines';
import { browserFolder, chooseSide, engineSide, type RenderBytes, toUrl } from './side';

type ServerBootstrap = Type<object> | ((context: BootstrapContext) => Promise<ApplicationRef>);

/** CommonEngine in each of the ways that are compared, with critical CSS on. */
export function commonSides(bootstrap: ServerBootstrap): RenderBytes {
  return chooseSide({
    bare: () => {
      const engine = new CommonEngine({ bootstrap, allowedHosts: ['localhost'] });
      const document = readFileSync(join(browserFolder, '../server/index.server.html'), 'utf8');
      const encoder = new TextEncoder();
      return async (path) => {
        const url = toUrl(path);
        const providers = [
          { provide: REQUEST, useValue: new Request(url) },
          { provide: RESPONSE_INIT, useValue: { headers: new Headers(), status: 200 } },
        ];
        const options = { url, document, publicPath: browserFolder, inlineCriticalCss: true };
        return encoder.encode(await engine.render({ ...options, providers }));
      };
    },
    ours: () => engineSide(commonEngine({ bootstrap })),
    slow: () => engineSide(commonEngine({ bootstrap, fast: false })),
  });
}
