import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { errorsPage } from './errors-page.ts';
import { optionsPage } from './options-page.ts';

export const root: string = join(import.meta.dirname, '../..');

/** The pages of docs/ that are made of the sources, by path. */
export async function generatedPages(): Promise<Map<string, string>> {
  const pages = new Map([
    ['docs/errors.md', errorsPage(root)],
    ['docs/options.md', optionsPage(root)],
  ]);
  for (const [path, text] of pages) pages.set(path, await formatted(path, text));
  return pages;
}

/** As `npm run format` leaves it. */
async function formatted(path: string, text: string): Promise<string> {
  const filepath = join(root, path);
  return format(text, { ...(await resolveConfig(filepath)), filepath });
}
