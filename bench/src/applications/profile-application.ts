import { shuffled } from '../measure/seeded-numbers.ts';
import { startBackend } from './backend.ts';
import { OriginalPlaces } from './original-places.ts';
import { ownerOf, shortPlace } from './profile-owner.ts';
import type { FrameTime } from './take-profile.ts';
import { builtSides, type SidesOrder, withSides } from './with-sides.ts';

/** The sides that render on the main thread, which is the one that is profiled. */
export const PROFILED_SIDES = ['app/bare', 'app/ours', 'common/bare', 'common/ours'] as const;

/** A function's part of a side's time. */
export interface ProfiledFunction {
  readonly owner: string;
  readonly name: string;
  readonly place: string;
  /** Of 1. */
  readonly share: number;
}

/** Where the time of a side's renders goes. */
export interface SideProfile {
  readonly side: string;
  /** CPU time of the main thread per render, in microseconds. */
  readonly mainUs: number;
  readonly functions: readonly ProfiledFunction[];
}

/**
 * Profiles renders of a page of a built application by each side, one after the other. The sides of a build that is not
 * there are left out.
 *
 * @param folder - Of the application's builds.
 */
export async function profileApplication(
  folder: string,
  order: SidesOrder,
  next: () => number,
): Promise<readonly SideProfile[]> {
  const sides = builtSides(folder, order.sides);
  const stopBackend = await startBackend(folder);
  try {
    return await withSides(folder, { ...order, sides }, async (processes) => {
      const profiles = new Map<string, SideProfile>();
      for (const process of shuffled(processes, next)) {
        const profile = await process.ask({ ask: 'profile' });
        if ('voidBecause' in profile) throw new Error(`${process.side}: ${profile.voidBecause}`);
        const functions = ownedFunctions(profile.frames);
        profiles.set(process.side, { side: process.side, mainUs: profile.mainUs, functions });
      }
      return sides.map((side) => profiles.get(side)!);
    });
  } finally {
    stopBackend();
  }
}

/** Who owns each function; the shares add up to 1. */
export function ownedFunctions(frames: readonly FrameTime[]): readonly ProfiledFunction[] {
  const places = new OriginalPlaces();
  const all = frames.reduce((sum, { selfUs }) => sum + selfUs, 0);
  return frames.map((frame) => {
    const place = places.find(frame);
    const owner = ownerOf(frame, place);
    const at = { owner, name: place.name || '(anonymous)', place: shortPlace(frame, place) };
    return { ...at, share: frame.selfUs / all };
  });
}
