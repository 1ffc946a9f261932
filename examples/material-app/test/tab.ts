import type { Browser, Page } from 'playwright-core';

/** A tab that stays open while builds are deployed, with a form in it that is not saved. */
export class Tab {
  readonly page: Page;
  /** Uncaught errors and the console's errors, without the browser's own lines about requests. */
  readonly problems: string[] = [];
  /** How many documents it has asked for. */
  documents = 0;

  private constructor(page: Page) {
    this.page = page;
    page.on('pageerror', (error) => this.problems.push(String(error)));
    page.on('console', (message) => {
      const isOfBrowser = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isOfBrowser) this.problems.push(message.text());
    });
    page.on('request', (request) => {
      if (request.isNavigationRequest()) this.documents++;
    });
  }

  /** Opens a page, waits for its application, and begins to fill in a form. */
  static async open(browser: Browser, url: string): Promise<Tab> {
    const context = await browser.newContext();
    const tab = new Tab(await context.newPage());
    await tab.page.goto(url);
    await tab.whenRunning();
    await tab.write('a draft');
    return tab;
  }

  /** The build whose main script runs in it. */
  build(): Promise<number> {
    return this.page.evaluate(() => (globalThis as unknown as { buildMarker: number }).buildMarker);
  }

  /** Follows a link of the application, and waits for its page. */
  async follow(path: keyof typeof HEADINGS): Promise<void> {
    await this.click(path);
    await this.page.locator('main h1', { hasText: HEADINGS[path] }).waitFor();
    await this.whenRunning();
  }

  async click(path: string): Promise<void> {
    await this.page.locator(`app-root a[href="${path}"]`).first().click();
  }

  /** Types into a field outside of the router's outlet. */
  async write(text: string): Promise<void> {
    await this.page.evaluate((value) => {
      const field = document.createElement('input');
      field.id = 'draft';
      document.querySelector('footer')!.append(field);
      field.value = value;
    }, text);
  }

  /** What is in the field; undefined in a new document. */
  draft(): Promise<string | undefined> {
    return this.page.evaluate(
      () => document.querySelector<HTMLInputElement>('#draft')?.value ?? undefined,
    );
  }

  /** The document is loaded and its application has started. */
  async whenRunning(): Promise<void> {
    await this.page.waitForFunction(
      () =>
        document.readyState === 'complete' &&
        document.querySelector('app-root[ng-version]') !== null &&
        document.querySelector('[ngh], [jsaction]') === null,
    );
  }

  close(): Promise<void> {
    return this.page.context().close();
  }
}

/** Pages with a script of their own, with a part of their headings. */
export const HEADINGS = {
  '/catalog': /This month on the shelf/,
  '/guide': /Live with it/,
  '/client': /Nothing here yet/,
  '/lazy': /°C/,
  '/hello': /^Hello,/,
  '/account': /Who is at the door/,
} as const;
