import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { openBrowser } from '../../material-app/test/browser.ts';
import { type BuiltSite, startSite } from './built-site.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The served site and a browser, from before the first test of a suite until after its last. */
export class SiteBrowser {
  #site: BuiltSite | undefined;
  #browser: Browser | undefined;
  /** What the console has said in any tab: violations of the security policy are there, too. */
  readonly messages: string[] = [];

  constructor(chromium: string | undefined) {
    beforeAll(async () => {
      this.#site = await startSite();
      this.#browser = await openBrowser(chromium!);
    });
    afterAll(async () => {
      await this.#browser?.close();
      await this.#site?.stop();
    });
  }

  get origin(): string {
    return this.#site!.origin;
  }

  /** Opens a page in a browser of its own. */
  async open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser!.newContext(options);
    const page = await context.newPage();
    page.on('console', (message) => this.messages.push(`${path}: ${message.text()}`));
    page.on('pageerror', (error) => this.messages.push(`${path}: ${error.message}`));
    await page.goto(this.origin + path);
    return page;
  }

  /** Opens a page and turns to it, as a reader with a mouse does. */
  async use(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.open(path, options);
    await page.mouse.move(5, 5);
    await whenStarted(page);
    return page;
  }
}

/** The application has started, and all that was done before is replayed. */
export async function whenStarted(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('[ngh], [jsaction]') === null);
}

/** What axe finds: barriers, such as a text with too little contrast. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Not as an element: the security policy lets in no other script.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
