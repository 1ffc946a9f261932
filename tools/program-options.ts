import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/**
 * The options that a program was started with. `--help` prints the comment that its file begins with, and ends the
 * program; so does an option that it does not have, after its name.
 *
 * @param url - `import.meta.url` of the program.
 * @param options - As for `parseArgs`.
 */
export function programOptions<const T extends ParseArgsOptionsConfig>(
  url: string,
  options: T,
): ReturnType<typeof parseArgs<{ options: T }>>['values'] {
  let problem: string | undefined;
  try {
    const help = { type: 'boolean', short: 'h', default: false } as const;
    const { values } = parseArgs({ options: { ...options, help } });
    if (!(values as { help?: boolean }).help) return values as never;
  } catch (error) {
    problem = (error as Error).message;
  }
  const text = describe(readFileSync(fileURLToPath(url), 'utf8'));
  if (problem === undefined) console.log(text);
  else console.error(`${problem}\n\n${text}`);
  process.exit(problem === undefined ? 0 : 1);
}

/** The text of the comment that a file begins with. */
function describe(source: string): string {
  const [, comment = ''] = /^\/\*\*\n(.*?)\n \*\//s.exec(source) ?? [];
  return comment.replaceAll(/^ \* ?/gm, '');
}
