import { ATTRIBUTES, OF_TEXT, VOID } from './html-tag.ts';

/** An element that shows an island. */
export interface IslandHost {
  readonly slot: string;
  /** Where its content begins. */
  readonly at: number;
}

const TAG = new RegExp(`<([a-z][^\\s"'<>/=]*)(${ATTRIBUTES})\\s*>`, 'iy');
/** Angular empties this element when it starts. In another one, a marker would be a node that hydration does not expect. */
const IS_SKIPPED = /\sngskiphydration(?=[\s=]|$)/i;

/**
 * Finds the elements with `ngSkipHydration` and `data-slot`, as Angular writes them.
 *
 * @param page - A page in which each byte is a character.
 * @param slots - The names of slots that have HTML.
 * @returns them in their order.
 */
export function findIslandHosts(page: string, slots: readonly string[]): readonly IslandHost[] {
  const hosts: IslandHost[] = [];
  for (const slot of slots) {
    const attribute = ` data-slot="${slot}"`;
    let before = 0;
    let found = page.indexOf(attribute);
    for (; found !== -1; found = page.indexOf(attribute, before)) {
      const from = before + page.slice(before, found).lastIndexOf('<');
      const at = from < before ? undefined : contentOf(page, from, found);
      if (at !== undefined) hosts.push({ slot, at });
      before = found + attribute.length;
    }
  }
  if (hosts.length === 0) return hosts;
  const isInScript = scriptsOf(page);
  return hosts.sort((one, other) => one.at - other.at).filter(({ at }) => !isInScript(at));
}

/** Where the content of an element with the attribute begins, if it can be an island. */
function contentOf(page: string, from: number, attribute: number): number | undefined {
  TAG.lastIndex = from;
  const [tag, name = '', attributes = ''] = TAG.exec(page) ?? [];
  if (tag === undefined || from + tag.length <= attribute || !IS_SKIPPED.test(attributes)) return;
  const isHost = !VOID.has(name.toLowerCase()) && !OF_TEXT.has(name.toLowerCase());
  return isHost ? from + tag.length : undefined;
}

/** @returns whether a place is in a script. It is asked for places in their order, and reads the page once. */
function scriptsOf(page: string): (at: number) => boolean {
  let from = page.indexOf('<script');
  let to = 0;
  return (at) => {
    while (from !== -1 && from < at) {
      to = page.indexOf('</script', from);
      if (to === -1 || to > at) return true;
      from = page.indexOf('<script', to);
    }
    return false;
  };
}
