import type { Page, Section } from '../contents/page.ts';
import { escapeHtml } from '../markdown/escape-html.ts';

/** Sections that are long and looked up by name: they are open where one of their pages is shown. */
const CLOSED = ['Packages', 'API'];

/** The list of all pages, beside each page. */
export function toContentsHtml(sections: readonly Section<Page>[]): string {
  return sections
    .map(({ title, pages }) => {
      const items = pages.filter(isListed).map((page) => {
        const label = escapeHtml(shorten(page.title, title));
        return `<li><a href="/${page.path}">${label}</a></li>`;
      });
      const open = CLOSED.includes(title) ? '' : ' open';
      return `<details${open}><summary>${title}</summary><ul>${items.join('')}</ul></details>`;
    })
    .join('');
}

/** Entries below a package's own are listed on its page: `api/koa/prometheus` on `api/koa`. */
function isListed({ file, path }: Page): boolean {
  return file !== undefined || path.split('/').length === 2;
}

/** "Overload" of "Overload: when rendering cannot keep up"; not the section's own name again. */
function shorten(title: string, section: string): string {
  const [short = title, ...rest] = title.split(': ');
  if (short !== section || rest.length === 0) return short;
  const label = rest.join(': ');
  return label.charAt(0).toUpperCase() + label.slice(1);
}
