import { format, resolveConfig } from 'prettier';

const BEGIN = '<!-- bench:begin -->';
const END = '<!-- bench:end -->';

/**
 * Puts a part that the benchmark writes into a page, between its marks, and formats the page.
 *
 * @param page - Markdown with the marks.
 * @throws Error where a mark is missing
 */
export async function putBetweenMarks(page: string, part: string): Promise<string> {
  const from = page.indexOf(BEGIN);
  const to = page.indexOf(END);
  if (from === -1 || to < from) throw new Error(`the page has no ${BEGIN} and ${END}`);
  const whole = `${page.slice(0, from + BEGIN.length)}\n\n${part}\n\n${page.slice(to)}`;
  const config = await resolveConfig(import.meta.filename);
  return await format(whole, { ...config, parser: 'markdown' });
}
