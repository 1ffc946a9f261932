import { isWellFormed } from '../../http/target.ts';

/** What a request to the endpoint of slots asks for. */
export interface SlotQuery {
  /** The path of the page as it was requested, with its query. */
  readonly path: string;
  /** Undefined: all slots that the page has. */
  readonly names: readonly string[] | undefined;
  /** How many hosts the islands of the page have, by their slots. Others get data alone. */
  readonly islands: ReadonlyMap<string, number>;
}

/** Far more than a page has. */
const MOST_HOSTS = 1000;

/** Writes what {@link readSlotQuery} reads. */
export function writeSlotQuery(path: string, islands: ReadonlyMap<string, number>): string {
  const query = new URLSearchParams({ path });
  const hosts = [...islands].map(([name, count]) => `${name}:${count}`).join(',');
  if (hosts !== '') query.set('islands', hosts);
  return `?${query.toString()}`;
}

/**
 * @param query - `?path=%2Fa%3Fb%3D1&names=cart,user`, or nothing.
 * @returns undefined without a well-formed path.
 */
export function readSlotQuery(query: string): SlotQuery | undefined {
  const members = new URLSearchParams(query);
  const path = members.get('path');
  if (path === null || !isWellFormed(path)) return undefined;
  const islands = new Map<string, number>();
  for (const each of members.get('islands')?.split(',') ?? []) {
    const [name = '', count] = each.split(':');
    const hosts = Number(count);
    if (Number.isInteger(hosts) && hosts > 0 && hosts <= MOST_HOSTS) islands.set(name, hosts);
  }
  return { path, names: members.get('names')?.split(','), islands };
}
