import { SsrError } from '../../errors.ts';
import type { EncodingJob } from '../make-encodings.ts';
import { type OpenPack, openPack } from './open-pack.ts';
import { noticesOfPack } from './pack-notices.ts';
import { takePacked, type Taken } from './take-packed.ts';

/** What is left to do and to say after the pack of a browser folder was used. */
export interface Rest extends Pick<Taken, 'jobs' | 'dropped'> {
  readonly notices: readonly SsrError[];
}

/**
 * Takes the encodings that the pack of a browser folder has. Without a pack, or with one that is damaged, all
 * of them are left to be made.
 *
 * @param claim - Claims memory; an encoding that gets none is dropped.
 */
export function takeFromPack(
  browserFolder: string,
  jobs: readonly EncodingJob[],
  claim: (bytes: number) => boolean,
): Rest {
  let pack: OpenPack | undefined;
  try {
    pack = jobs.length === 0 ? undefined : openPack(browserFolder);
    if (pack === undefined) return { jobs, dropped: [], notices: [] };
    const taken = takePacked(pack, jobs, claim);
    return { ...taken, notices: noticesOfPack(taken) };
  } catch (error) {
    if (!(error instanceof SsrError)) throw error;
    return { jobs, dropped: [], notices: [error] };
  } finally {
    pack?.close();
  }
}
