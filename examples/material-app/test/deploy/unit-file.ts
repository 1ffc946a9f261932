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

/** The words of a command as systemd reads them: quotes, escapes, `%%` and `$$`. What else has a meaning is refused. */
export function wordsOfUnit(command: string): string[] {
  const words = command.match(/"(?:\\.|[^"\\])*"|[^\s"'\\]+/g) ?? [];
  return words.map((word) => {
    const text = word.startsWith('"') ? (JSON.parse(word) as string) : word;
    const rest = text.replaceAll('%%', '').replaceAll('$$', '');
    if (/[%$]/.test(rest)) throw new Error(`${word} has a specifier or a variable`);
    return text.replaceAll('%%', '%').replaceAll('$$', '$$');
  });
}
