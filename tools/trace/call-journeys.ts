import { withCalls } from '@ng-ssr/node/adapter';
import { type Journey, OPTIONS, third } from './journey.ts';

/** Pages whose renders call the API of the server. */
export const callJourneys: Readonly<Record<string, Journey>> = {
  'calling-miss': {
    ...third('/calling'),
    status: 200,
    cacheStatus: /fwd/,
    options: { features: [...OPTIONS.features, withCalls({ '/api/**': { inProcess: true } })] },
  },
  // The first page's call is stored, and the others are answered with it.
  'stored-call-miss': {
    ...third('/calling'),
    status: 200,
    cacheStatus: /fwd/,
    options: {
      features: [
        ...OPTIONS.features,
        withCalls({ '/api/**': { inProcess: true, cache: { sMaxAge: 60 } } }),
      ],
    },
  },
};
