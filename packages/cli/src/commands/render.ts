import { availableParallelism } from 'node:os';
import { type Command, defineCommand } from '../command.ts';
import { toRenderText } from '../render/print-report.ts';
import { isUrl, readSitemap, type WantedPage } from '../render/read-sitemap.ts';
import { renderPages } from '../render/render-pages.ts';
import { print } from '../terminal/print.ts';
import { shownJson } from '../terminal/shown-text.ts';
import { wrongArguments } from '../wrong-arguments.ts';

const HELP = `Usage: ng-ssr render [<output path>] --sitemap <URL or file> [--url <URL> ...] [--origin <origin>] [--rate <n/s>]
                     [--concurrency <n>] [--project <name>] [--server <file>] [--browser <name>] [--timeout <seconds>] [--json]

Renders pages into the page store of withSharedStore(), before a server needs them: as a step of the deployment, or as
a job. The program starts in its own process without a port, with the variables of the server.

A fresh page of the store is not rendered again, unless it is older than its <lastmod>. After a signal the command
finishes the pages that it has begun; run it again to continue. A second signal ends it at once.

  <output path>        Angular's output path, such as dist/shop. Default: from the nearest angular.json
  --sitemap <URL>      the pages of this sitemap, or index of sitemaps: a URL or a file, also with gzip. Repeatable
  --url <URL>          also this page, such as https://shop.example/products/1. Repeatable
  --origin <origin>    in place of the origin of all pages: the one that the server sees, such as http://shop.example
                       behind a proxy that it does not trust
  --rate <n/s>         the most renders that begin in a second, as 50/s, or in a minute, as 600/min. Default: no limit
  --concurrency <n>    pages that are rendered at the same time. Default: the number of cores
  --project <name>     the project in angular.json, if several have a server
  --server <file>      the program, relative to the output path. Default: server/server.mjs
  --browser <name>     the browser folder, if it is not "browser"
  --timeout <seconds>  how long the program may take to its start, and each page. Default: 60
  --json               prints JSON
  --help               shows this text

Exit codes: 0; 1 if pages failed or are left; 2 for wrong arguments.
`;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** npm passes on a Ctrl-C that the command gets from the terminal, too: a signal so soon is the same one. */
const SAME_SIGNAL_MS = 500;

export const renderCommand: Command = defineCommand({
  name: 'render',
  summary: 'Renders pages of a sitemap into the page store',
  help: HELP,
  options: {
    sitemap: { type: 'string', multiple: true, default: [] },
    url: { type: 'string', multiple: true, default: [] },
    origin: { type: 'string' },
    rate: { type: 'string' },
    concurrency: { type: 'string', default: String(availableParallelism()) },
    project: { type: 'string' },
    server: { type: 'string' },
    browser: { type: 'string' },
    timeout: { type: 'string', default: '60' },
    json: { type: 'boolean', default: false },
  },
  async run(values, [outputPath, ...rest]) {
    if (rest.length > 0) {
      throw wrongArguments(`pass one output path only, not also ${rest.join(' ')}`);
    }
    const { browser, origin, project, server, sitemap, url } = values;
    const ratePerSecond = values.rate === undefined ? undefined : readRate(values.rate);
    const concurrency = readCount('concurrency', values.concurrency, 1000);
    const withinMs = readCount('timeout', values.timeout, 600) * 1000;
    if (sitemap.length + url.length === 0) throw wrongArguments('pass --sitemap or --url');
    const wrong = url.find((each) => !isUrl(each));
    if (wrong !== undefined) {
      throw wrongArguments(
        `--url is ${JSON.stringify(wrong)}; allowed: a URL, such as https://shop.example/products/1`,
      );
    }
    if (origin !== undefined && !(isUrl(origin) && new URL(origin).origin === origin)) {
      throw wrongArguments(
        `--origin is ${JSON.stringify(origin)}; allowed: an origin, such as https://shop.example`,
      );
    }
    const pages = await readPages(sitemap, url, origin);
    const stop = new AbortController();
    let stoppedAtMs = Infinity;
    const abort = (): void => {
      // Ends the program, too, which may hang.
      if (performance.now() - stoppedAtMs > SAME_SIGNAL_MS) process.exit(1);
      stoppedAtMs = Math.min(stoppedAtMs, performance.now());
      stop.abort();
    };
    for (const signal of SIGNALS) process.on(signal, abort);
    const report = await renderPages(
      {
        ...{ outputPath, project, server, browser, pages, ratePerSecond, concurrency, withinMs },
        stop: stop.signal,
      },
      { cwd: process.cwd(), env: process.env },
    );
    for (const signal of SIGNALS) process.off(signal, abort);
    print(values.json ? `${shownJson(report)}\n` : toRenderText(report));
    return report.failed.length + report.left > 0 ? 1 : 0;
  },
});

/** Each page once, with its latest change. */
async function readPages(
  sitemaps: readonly string[],
  urls: readonly string[],
  origin: string | undefined,
): Promise<readonly WantedPage[]> {
  const pages = new Map<string, WantedPage>();
  const listed = await Promise.all(sitemaps.map((each) => readSitemap(each)));
  const given = urls.map((url): WantedPage => ({ url }));
  for (const page of [...listed.flat(), ...given]) {
    const { origin: own, pathname, search } = new URL(page.url);
    const href = (origin ?? own) + pathname + search;
    const changedAtMs = Math.max(page.changedAtMs ?? 0, pages.get(href)?.changedAtMs ?? 0);
    pages.set(href, { url: href, changedAtMs: changedAtMs || undefined });
  }
  return [...pages.values()];
}

function readRate(text: string): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)\/(s|min)$/.exec(text) ?? [];
  const rate = Number(count) / (unit === 'min' ? 60 : 1);
  if (rate > 0) return rate;
  throw wrongArguments(`--rate is ${JSON.stringify(text)}; allowed: as 50/s or 600/min`);
}

function readCount(name: string, text: string, most: number): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0 && count <= most) return count;
  throw wrongArguments(
    `--${name} is ${JSON.stringify(text)}; allowed: a whole number from 1 to ${most}`,
  );
}
