export type Member = (...args: unknown[]) => unknown;

/** Functions of an object that others have made, each as `watch` wraps it, with its own `this`. Those that are missing stay so. */
export function watchMembers<Members extends object>(
  given: Members,
  names: readonly (keyof Members & string)[],
  watch: (run: Member, name: string) => Member = (run) => run,
): Partial<Members> {
  const members = given as Readonly<Record<string, Member | undefined>>;
  const watched = names
    .filter((name) => members[name] !== undefined)
    .map((name) => [name, watch((...args) => members[name]!(...args), name)]);
  return Object.fromEntries(watched) as Partial<Members>;
}
