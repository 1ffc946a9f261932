import { SsrError } from '../errors.ts';
import type { OwnExtension } from '../path/own-feature.ts';
import type { Parts } from './compose-on-node.ts';

/**
 * Starts the features of a server, all at once. A failure is reported.
 *
 * @returns resolves with whether the server may be ready. Never rejects.
 */
export async function startFeatures({ core, server }: Parts): Promise<boolean> {
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
  const started = await Promise.all([...server.extensions].map(start));
  return started.every(Boolean);
}
