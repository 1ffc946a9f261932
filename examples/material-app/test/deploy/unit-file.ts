/** The values of a unit file of systemd, by `Section.Name`; of a name that stands there more than once, all. */
export function readUnit(text: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  let section = '';
  for (const line of text.split('\n')) {
    const heading = /^\[(\w+)\]$/.exec(line)?.[1];
    if (heading !== undefined) section = heading;
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    const key = `${section}.${name}`;
    values.set(key, [...(values.get(key) ?? []), value!]);
  }
  return values;
}
