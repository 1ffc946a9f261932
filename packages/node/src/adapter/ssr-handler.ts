import type { Feature, SsrOptions } from '@ng-ssr/core';
import { SsrError, SsrHandler as CoreHandler } from '@ng-ssr/core/adapter';
import type { CallingFeature } from './in-process/calling-feature.ts';
import type { NodeListener } from './node-listener.ts';

/** The core's handler, for servers whose routes are behind a listener of node:http. */
export class SsrHandler extends CoreHandler {
  readonly #calling: CallingFeature | undefined;

  /**
   * @throws SsrError as the core's; `NG_SSR_OPTION_INVALID` if features that call routes of this server are not of a
   * package for Node.
   */
  constructor(options: SsrOptions) {
    super(options);
    this.#calling = options.features?.find(isCalling);
    if (this.#calling !== undefined || this.hasRoutes) return;
    throw new SsrError('NG_SSR_OPTION_INVALID', NOT_CALLING);
  }

  /** Sets what calls with `inProcess` and slots with `call` reach: the framework's routes and middleware. */
  useListener(listener: NodeListener): void {
    if (this.#calling !== undefined) this.useRoutes(this.#calling.toRoutes(listener));
  }
}

const NOT_CALLING =
  'calls with inProcess and slots with call need the features of this server: import withCalls and withSlots from the ' +
  'package of your adapter, not from @ng-ssr/core or @ng-ssr/fetch';

function isCalling(feature: Feature): feature is CallingFeature {
  return 'toRoutes' in feature;
}
