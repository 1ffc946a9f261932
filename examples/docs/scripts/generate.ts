/** Makes what the site shows from the repository: its Markdown, its declarations and its results. */
import { rmSync } from 'node:fs';
import { toBars } from './benchmarks/chart-data.ts';
import { readMachines } from './benchmarks/read-machines.ts';
import { toBenchmarks, toErrors, toHome } from './contents/parted-pages.ts';
import type { Page, Section, SourcePage } from './contents/page.ts';
import { readContents, readPage } from './contents/read-contents.ts';
import { SiteLinks } from './markdown/links.ts';
import { renderPage } from './markdown/render-page.ts';
import { generated } from './repository.ts';
import { makeIndex } from './search/make-index.ts';
import { toCrawlerFiles, toLlmsFiles, toMarkdownFiles } from './write/text-files.ts';
import { copyImages, writeFiles } from './write/write-files.ts';
import { type ModulePage, writeModules } from './write/write-modules.ts';
import { writeSettings } from './write/write-settings.ts';

const origin = process.env['DOCS_ORIGIN'] ?? 'http://localhost:4300';

const sources = await readContents();
const readme = readPage('README.md');
const links = new SiteLinks([readme, ...sources.flatMap(({ pages }) => pages)]);
const render = (page: SourcePage): Page => ({ ...page, ...renderPage(page, links.of(page)) });
const home = render(readme);
const sections: readonly Section<Page>[] = sources.map(({ title, pages }) => ({
  title,
  pages: pages.map(render),
}));
const pages = [home, ...sections.flatMap((section) => section.pages)];
const machines = readMachines();

rmSync(generated, { recursive: true, force: true });
writeModules(sections, pages.map(toModule), toBars(machines));
writeFiles({
  ...toMarkdownFiles(pages),
  ...toLlmsFiles(home, sections, origin),
  ...toCrawlerFiles(pages, origin),
  'search.json': makeIndex([{ title: 'Start', pages: [home] }, ...sections]),
});
copyImages(links.images);
writeSettings(origin);
console.log(`${pages.length} pages, ${machines.length} machine(s) with results`);

function toModule(page: Page): ModulePage {
  const { html } = page;
  if (page === home) return { page, type: 'HomeContent', more: toHome(html, machines) };
  if (page.path === 'benchmarks') {
    return { page, type: 'BenchmarksContent', more: toBenchmarks(html, machines) };
  }
  if (page.path === 'errors') return { page, type: 'PartedContent', more: toErrors(html) };
  return { page, type: 'PageContent' };
}
