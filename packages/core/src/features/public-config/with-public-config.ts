import type { Feature } from '../../path/feature.ts';
import type { OwnFeature } from '../../path/own-feature.ts';
import { noticeOfSuspects, toPublicConfigElement } from './public-config.ts';

/**
 * What pages may know of the stage that this server runs in, for everybody to read. Every page carries it, prerendered or
 * rendered, and components inject it as `PUBLIC_CONFIG` of `@ng-ssr/angular`, in the server and in the browser.
 *
 * @param config - Strings, finite numbers, booleans, null, lists and plain objects; up to 64 KiB as JSON.
 *
 * @example
 * ```ts
 * features: [withPublicConfig({ apiUrl: process.env['API_URL'] })]
 * ```
 */
export function withPublicConfig(config: object): Feature {
  const feature: OwnFeature = {
    name: 'public-config',
    isForNode: true,
    forServer: ({ isBuilt }) => {
      const { html, hash, suspects } = toPublicConfigElement(config, isBuilt);
      return {
        name: feature.name,
        document: { publicConfig: html, id: hash },
        install: ({ isBuilt, main, onError }) => {
          if (isBuilt && main === undefined && suspects.length > 0)
            onError(noticeOfSuspects(suspects));
          return {};
        },
      };
    },
    install: () => ({}),
  };
  return feature;
}
