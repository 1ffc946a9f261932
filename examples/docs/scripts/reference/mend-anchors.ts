import { dirname, join } from 'node:path/posix';
import GithubSlugger from 'github-slugger';
import type { SourcePage } from '../contents/page.ts';

/**
 * The plugin numbers headings of the same name (`#ssrmiddleware-2`), and counts some that it does not write.
 * Such links lead to the last heading of the name that is there.
 */
export function mendAnchors(pages: readonly SourcePage[]): readonly SourcePage[] {
  const ids = new Map(pages.map(({ path, markdown }) => [`${path}.md`, readIds(markdown)]));
  return pages.map((page) => {
    const own = `${page.path}.md`;
    const markdown = page.markdown.replace(
      /\]\(([\w./-]*)#([\w-]+)-(\d+)\)/g,
      (link, file: string, name: string, number: string) => {
        const present = ids.get(file === '' ? own : join(dirname(own), file));
        if (present === undefined || present.has(`${name}-${number}`)) return link;
        const others = Array.from({ length: Number(number) }, (_, at) => `${name}-${at}`);
        const last = others.reverse().find((id) => present.has(id));
        return `](${file}#${last ?? name})`;
      },
    );
    return { ...page, markdown };
  });
}

function readIds(markdown: string): ReadonlySet<string> {
  const slugger = new GithubSlugger();
  const headings = [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, text]) => slugger.slug(text!));
  const anchors = [...markdown.matchAll(/<a id="([\w-]+)">/g)].map(([, id]) => id!);
  return new Set([...headings, ...anchors]);
}
