/** The text of an option's doc comment. */
export interface OptionComment {
  readonly meaning: string;
  /** Undefined if the comment states none. */
  readonly default: string | undefined;
}

/** How comments state a default: as a sentence of its own, or after the unit. */
const DEFAULTS = [
  /(?:^|(?<=[.!?`)] ))Default:? (.+?)\.(?= |$)/,
  /[;,] default (.+?)(?=\.(?: |$)|,)/,
];

/** Reads a doc comment: its paragraphs on one line, its default apart. */
export function readOptionComment(comment: string): OptionComment {
  const lines = comment.slice('/**'.length, -'*/'.length).split('\n');
  const text = lines.map((line) => line.replace(/^\s*\* ?/, '').trim()).join(' ');
  const [described = '', ...tags] = text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .split(/ ?@(?=see |example )/);
  const plain = described.replaceAll(/\{@link (\S+?)\}/g, '`$1`');
  const links = tags.filter((tag) => tag.startsWith('see ')).map((tag) => toLink(tag.slice(4)));
  const found = DEFAULTS.map((pattern) => pattern.exec(plain)).find((match) => match !== null);
  const meaning = found ? plain.replace(found[0], '').replaceAll(/ +(?=\.|$)| {2,}/g, ' ') : plain;
  return { meaning: [meaning.replace(' .', '.').trim(), ...links].join(' '), default: found?.[1] };
}

function toLink(url: string): string {
  return `See [${new URL(url.trim()).hostname}](${url.trim()}).`;
}
