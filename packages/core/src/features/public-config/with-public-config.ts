import { readOption } from '../../check-option.ts';
import type { Feature } from '../../path/feature.ts';
import { perServer } from '../../path/for-server.ts';
import { noticeOfSuspects, toPublicConfigElement } from './public-config.ts';

/**
 * Puts public configuration of a stage, such as the URL of an API, into every page. Components inject it as
 * `PUBLIC_CONFIG` of `@ng-ssr/angular`, on the server and in browsers. Every visitor can read it.
 *
 * @param config - Strings, finite numbers, booleans, null, lists and plain objects; up to 64 KiB as JSON.
 *
 * @example
 * ```ts
 * features: [withPublicConfig({ apiUrl: process.env['API_URL'] })]
 * ```
 */
export function withPublicConfig(config: object): Feature {
  return perServer({ name: 'public-config', isForNode: true }, ({ isBuilt }) => {
    const element = readOption('withPublicConfig', () => toPublicConfigElement(config, isBuilt));
    const { html, hash, suspects } = element;
    return {
      document: { publicConfig: html, id: hash },
      install: ({ main, onError }) => {
        const isFirst = isBuilt && main === undefined;
        if (isFirst && suspects.length > 0) onError(noticeOfSuspects(suspects));
        return {};
      },
    };
  });
}
