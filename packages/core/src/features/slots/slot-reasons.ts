import type { Exchange } from '../../exchange.ts';
import type { Slot } from './slot-options.ts';

/**
 * Which slots a request gets, and why it does not get the others of its path.
 *
 * @param ofPath - Slots whose `routes` match.
 * @param wanted - Those that the request gets.
 * @returns undefined for a path without slots.
 */
export function reasonsOfSlots(
  ofPath: readonly Slot[],
  wanted: readonly Slot[],
  exchange: Pick<Exchange, 'header'>,
): string | undefined {
  const others = ofPath.filter((slot) => !wanted.includes(slot));
  const hasCookie = exchange.header('cookie') !== undefined;
  const isPart = exchange.header('range') !== undefined;
  const said: readonly (readonly [why: string, slots: readonly Slot[]])[] = [
    ['The data of these slots follows the page', wanted],
    ['A request for a range does not get these slots', isPart ? others : []],
    [
      'Without a Cookie header, the page keeps the fallback of these slots',
      others.filter(({ when }) => !isPart && !hasCookie && when === undefined),
    ],
    [
      'Their `when` returned false or failed, so the page keeps the fallback of these slots',
      others.filter(({ when }) => !isPart && when !== undefined),
    ],
  ];
  const sentences = said.flatMap(([why, slots]) => {
    return slots.length === 0 ? [] : [`${why}: ${slots.map(({ name }) => name).join(', ')}.`];
  });
  return sentences.length === 0 ? undefined : sentences.join(' ');
}
