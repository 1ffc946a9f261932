import type { Adapter, Framework } from './adapter.ts';
import { refuse } from './refusal.ts';

/** The framework that a server.ts of this adapter is for. */
export function frameworkIn(
  { packageName, frameworks }: Adapter,
  text: string,
): Framework | undefined {
  const [only, ...others] = Object.values(frameworks);
  if (others.length === 0) return only;
  const used = Object.keys(frameworks).find((name) => text.includes(`${packageName}/${name}`));
  return used === undefined ? undefined : frameworks[used];
}

/**
 * The framework to use.
 *
 * @param asked - `--framework`; without it, that of the existing server, else the only one.
 * @param commandFor - The command that asks for a framework.
 */
export function frameworkOf(
  adapter: Adapter,
  asked: string | undefined,
  text: string,
  commandFor: (framework: string) => string,
): Framework {
  const { packageName, frameworks } = adapter;
  const chosen =
    asked === undefined
      ? frameworkIn(adapter, text)
      : Object.hasOwn(frameworks, asked)
        ? frameworks[asked]
        : undefined;
  if (chosen !== undefined) return chosen;
  const names = Object.keys(frameworks);
  throw refuse(
    'NG_SSR_OPTION_INVALID',
    asked === undefined
      ? `${packageName} needs --framework, one of ${names.join(', ')}, as in ${commandFor(names[0]!)}.`
      : `--framework is "${asked}"; allowed: ${names.join(', ')}.`,
  );
}
