import type { Page, Section } from '../contents/page.ts';

/** The Markdown of a page, beside it: that of `/caching` is `/caching.md`. */
export function toMarkdownFiles(pages: readonly Page[]): Record<string, string> {
  return Object.fromEntries(pages.map((page) => [markdownOf(page), page.markdown]));
}

export function markdownOf({ path }: Page): string {
  return `${path === '' ? 'index' : path}.md`;
}

/** For programs that read: the pages with a line each, and all of them in one file (https://llmstxt.org). */
export function toLlmsFiles(
  home: Page,
  sections: readonly Section<Page>[],
  origin: string,
): Record<string, string> {
  const head = `# ng-ssr\n\n> ${home.description}\n`;
  const lists = sections.map(({ title, pages }) => {
    const lines = pages.map((page) => {
      const about = page.description === '' ? '' : `: ${page.description}`;
      return `- [${page.title}](${origin}/${markdownOf(page)})${about}`;
    });
    // The API is what a short context leaves out.
    return `## ${title === 'API' ? 'Optional' : title}\n\n${lines.join('\n')}\n`;
  });
  const whole = [home, ...sections.flatMap(({ pages }) => pages)].map(
    (page) => `<!-- ${origin}/${page.path} -->\n\n${page.markdown.trim()}\n`,
  );
  return { 'llms.txt': [head, ...lists].join('\n'), 'llms-full.txt': whole.join('\n') };
}

export function toCrawlerFiles(pages: readonly Page[], origin: string): Record<string, string> {
  const urls = pages.map(({ path }) => `  <url><loc>${origin}/${path}</loc></url>`);
  return {
    'robots.txt': `User-agent: *\nAllow: /\nSitemap: ${origin}/sitemap.xml\n`,
    'sitemap.xml': [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
      ...urls,
      '</urlset>',
      '',
    ].join('\n'),
  };
}
