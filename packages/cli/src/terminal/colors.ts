/** Functions that color a text, or leave it as it is. */
export interface Colors {
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly blue: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
}

/** What {@link colorsFor} writes. */
export const OWN_COLORS: RegExp = /\x1b\[(?:1|2|22|31|32|33|34|39)m/;

/** Colors for a stream: none where it is no terminal, where NO_COLOR is set and on terminals without them. */
export function colorsFor(
  stream: { readonly isTTY?: boolean },
  env: NodeJS.ProcessEnv = process.env,
): Colors {
  const { NO_COLOR: refused, TERM: terminal } = env;
  const isColored = stream.isTTY === true && !refused && terminal !== 'dumb';
  const color =
    (start: number, end: number) =>
    (text: string): string =>
      isColored ? `\x1b[${start}m${text}\x1b[${end}m` : text;
  return {
    red: color(31, 39),
    green: color(32, 39),
    yellow: color(33, 39),
    blue: color(34, 39),
    bold: color(1, 22),
    dim: color(2, 22),
  };
}
