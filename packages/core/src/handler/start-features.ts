import { SsrError } from '../errors.ts';
import type { OwnExtension } from '../path/own-feature.ts';
import type { Composition } from '../path/compose.ts';

/**
 * Starts the features of a server, all at once. A failure is reported.
 *
 * @returns resolves with whether the server may be ready, once those that delay that have started. Never rejects.
 */
export async function startFeatures({ core, server }: Composition): Promise<boolean> {
  const start = async ([name, extension]: [string, OwnExtension]): Promise<boolean> => {
    try {
      await extension.start?.();
      return true;
    } catch (cause) {
      const message = `the feature ${name} could not start`;
      core.report(new SsrError('NG_SSR_FEATURE_FAILED', message, { cause }));
      return extension.delaysReady !== true;
    }
  };
  const started = [...server.extensions].map((each) => [each[1], start(each)] as const);
  const delaying = started.filter(([{ delaysReady }]) => delaysReady === true);
  return (await Promise.all(delaying.map(([, ended]) => ended))).every(Boolean);
}
