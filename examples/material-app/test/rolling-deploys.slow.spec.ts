/** Deploys, one after the other, of two instances behind a proxy, with tabs of every age in a real browser. */
import { join } from 'node:path';
import { stress } from '@ng-ssr/conformance/fuzz';
import { expect, onTestFinished, test } from 'vitest';
import { findChromium, NO_CHROMIUM, openBrowser } from './browser.ts';
import { DerivedBuilds } from './derived-builds.ts';
import { RollingServers } from './rolling-servers.ts';
import { HEADINGS, Tab } from './tab.ts';

const chromium = findChromium();
if (chromium === undefined) {
  if (process.env['CI'] === 'true') throw new Error(NO_CHROMIUM);
  console.warn(`Browser tests are skipped: ${NO_CHROMIUM}`);
}

const DEPLOYS = stress(50);
const KEEP = 3;

/** A tab with what it has left to do. */
interface OpenTab {
  readonly tab: Tab;
  readonly build: number;
  readonly number: number;
  readonly unseen: (keyof typeof HEADINGS)[];
}

test.skipIf(chromium === undefined)(
  `${DEPLOYS} rolling deploys: no error, no loop, and no document is loaded while a build is kept`,
  async () => {
    const builds = new DerivedBuilds(join(import.meta.dirname, '../dist/app/browser'));
    const servers = new RollingServers(builds, KEEP);
    onTestFinished(() => servers.close());
    await servers.start(0);
    const browser = await openBrowser(chromium!);
    onTestFinished(() => browser.close());

    const counted = { tabs: 0, kept: 0, recovered: 0 };
    let open: OpenTab[] = [];

    async function openTab(): Promise<void> {
      const number = counted.tabs++;
      const tab = await Tab.open(browser, `${servers.origin}/about`);
      const routes = Object.keys(HEADINGS) as (keyof typeof HEADINGS)[];
      const unseen = routes.map((_, at) => routes[(at + number) % routes.length]!);
      open.push({ tab, number, build: await tab.build(), unseen });
    }

    /** While its build is kept: the script is there, whichever instance is asked, and so is the draft. */
    async function goOn({ tab, build, unseen }: OpenTab): Promise<void> {
      await tab.follow(unseen.pop()!);
      expect([tab.documents, await tab.draft(), await tab.build()]).toEqual([1, 'a draft', build]);
      counted.kept++;
    }

    /** Once its build is gone: one document, that of the target, by the current build. */
    async function recover({ tab, unseen }: OpenTab, current: number): Promise<void> {
      const path = unseen.pop()!;
      await tab.follow(path);
      expect([tab.documents, await tab.draft(), await tab.build()]).toEqual([
        2,
        undefined,
        current,
      ]);
      expect(new URL(tab.page.url()).pathname).toBe(path);
      counted.recovered++;
    }

    async function end({ tab }: OpenTab): Promise<void> {
      expect(tab.problems).toEqual([]);
      await tab.close();
    }

    await openTab();
    for (let build = 1; build <= DEPLOYS; build++) {
      const isKept = (each: OpenTab): boolean => build - each.build <= KEEP;
      // Two builds answer.
      await servers.replace(0, build);
      const turn = open.filter((each) => isKept(each) && (each.number + build) % 2 === 0);
      const opened = build % 2 === 0 ? [openTab()] : [];
      await Promise.all([...opened, ...turn.map(goOn)]);
      // One again.
      await servers.replace(1, build);
      const others = open.filter((each) => isKept(each) && !turn.includes(each));
      const gone = open.filter((each) => !isKept(each));
      await Promise.all([...others.map(goOn), ...gone.map((each) => recover(each, build))]);
      await Promise.all(gone.map(end));
      open = open.filter((each) => !gone.includes(each));
    }
    await Promise.all(open.map(end));
    expect(servers.errors).toEqual([]);
    expect(counted.tabs).toBe(Math.floor(DEPLOYS / 2) + 1);
    expect(counted.recovered).toBeGreaterThan(counted.tabs - KEEP);
    console.log(
      `${DEPLOYS} deploys, ${counted.tabs} tabs: ${counted.kept} navigations by kept scripts without a document, ` +
        `${counted.recovered} by one document`,
    );
  },
);
