/** A column of the table of cached pages, and the order that its button asks for. */
type Column = readonly [title: string, sort?: string];

const PAGE_COLUMNS: readonly Column[] = [
  ['Path', 'path'],
  ['Actions'],
  ['Status'],
  ['State'],
  ['Age', 'age'],
  ['TTL', 'ttl'],
  ['Size', 'bytes'],
  ['Hits', 'hits'],
  ['Encodings'],
  ['Tags'],
];

const FIGURES: Readonly<Record<string, string>> = {
  rate: 'Requests/s, last 10 s',
  hits: 'Hits',
  stale: 'Stale',
  misses: 'Misses',
  renders: 'Running renders',
  queued: 'Queued',
  failed: 'Failed renders',
  errors: 'Page errors',
  fallbacks: 'Fallbacks',
  stored: 'Cached pages',
  memory: 'Memory',
  heap: 'Heap',
  calls: 'API calls',
};

const CHARTS: Readonly<Record<string, string>> = {
  ratio: 'Hit ratio of pages',
  times: 'Render time',
  requests: 'Requests',
  renders: 'Renders',
  shed: 'Fallbacks',
  memory: 'Memory',
  cpu: 'CPU',
};

/** The page of an operator who has signed in. @param root - The inspector's path. */
export function toShell(root: string): string {
  const here = `./${lastSegment(root)}`;
  return documentOf(
    here,
    `<header>
<h1>ng-ssr inspector</h1>
<p id="connection" role="status">Connecting</p>
<form method="post" action="${here}/sign-out"><button>Sign out</button></form>
<p id="server"></p>
</header>
<main>
<div class="top">
<section aria-labelledby="now"><h2 id="now">Now</h2><dl class="headline">
${toHeadline('ratio', 'Hit ratio of pages, 5 min')}${toHeadline('time', 'Mean render time, 5 min')}</dl></section>
${EXPLAIN}
</div>
<section aria-labelledby="minutes"><h2 id="minutes">Last five minutes</h2>
<div class="charts">${Object.entries(CHARTS).map(toChart).join('')}</div></section>
<section aria-labelledby="overview"><h2 id="overview">Since the start</h2>
<dl class="figures">${Object.entries(FIGURES).map(toFigure).join('')}</dl></section>
${PURGE}
${PAGES}
${toTable('routes', 'Routes with the most render time', ROUTE_COLUMNS)}
${toTable('slots', 'Slots', SLOT_COLUMNS)}
<div class="columns">
${toTable('renders', 'Running renders', [['Page'], ['For'], ['Queued before']])}
${toTable('threads', 'Threads', [['Id'], ['Kind'], ['State'], ['Done']])}
</div>
${toTable('notices', 'Notices', [['Time'], ['Code'], ['Message']])}
</main>
<script type="module" src="${here}/script.js"></script>`,
  );
}

/**
 * The page of everybody else.
 *
 * @param hasFailed - Whether it answers its own form, whose address is below that of the page.
 */
export function toSignIn(root: string, hasFailed: boolean): string {
  const here = `${hasFailed ? '..' : '.'}/${lastSegment(root)}`;
  const failure = hasFailed ? '<p role="alert">The token is wrong.</p>' : '';
  return documentOf(
    here,
    `<main><section class="sign-in" aria-labelledby="title"><h1 id="title">ng-ssr inspector</h1>
${failure}<form method="post" action="${here}/sign-in" class="fields">
<input type="hidden" name="user" autocomplete="username" value="operator">
<label class="wide">Token<input type="password" name="token" required autocomplete="current-password"></label>
<button>Sign in</button></form>
</section></main>`,
  );
}

const ROUTE_COLUMNS: readonly Column[] = [
  ...([['Route'], ['Renders'], ['Failed'], ['Mean'], ['Longest'], ['Total']] as const),
];

const SLOT_COLUMNS: readonly Column[] = [
  ...([['Slot'], ['Routes'], ['Call'], ['Filled'], ['Failed'], ['Timeout'], ['Skipped']] as const),
];

const EXPLAIN = `<section aria-labelledby="explain"><h2 id="explain">Explain a request</h2>
<form id="explain-form" class="fields"><label class="wide">URL or path
<input id="explain-url" required placeholder="/products/1" autocomplete="off"></label><button>Explain</button></form>
<p id="explain-status" role="status"></p><div id="explain-result"></div></section>`;

const PURGE = `<section aria-labelledby="purge"><h2 id="purge">Purge</h2>
<form id="purge-form" class="fields"><label>By
<select id="purge-kind"><option>path</option><option>prefix</option><option>tag</option></select></label>
<label class="wide">Value<input id="purge-value" required autocomplete="off"></label>
<label class="check"><input id="purge-hard" type="checkbox">Hard</label><button>Purge</button></form>
<p id="purge-result" role="status"></p>
<dialog id="purge-dialog" aria-labelledby="purge-question"><form method="dialog"><p id="purge-question"></p>
<p class="tools"><button value="purge">Purge</button><button value="" autofocus>Cancel</button></p></form></dialog></section>`;

const PAGES = `<section aria-labelledby="pages"><h2 id="pages">Cached pages</h2>
<div class="tools"><label class="wide">Search paths and tags<input id="pages-search" type="search" autocomplete="off"></label>
<button id="pages-refresh" type="button">Refresh</button>
<button id="pages-earlier" type="button" disabled>Previous</button>
<button id="pages-later" type="button" disabled>Next</button></div>
<p id="pages-found" role="status"></p>
${toScroll('pages', 'Cached pages', PAGE_COLUMNS)}</section>`;

function toHeadline(name: string, title: string): string {
  return `<div><dt>${title}</dt><dd id="figure-${name}">–</dd><dd class="note" id="note-${name}"></dd></div>`;
}

function toFigure([name, title]: [string, string]): string {
  return `<div><dt>${title}</dt><dd id="figure-${name}">–</dd></div>`;
}

function toChart([name, title]: [string, string]): string {
  return `<figure id="chart-${name}"><figcaption>${title}</figcaption></figure>`;
}

function toTable(name: string, title: string, columns: readonly Column[]): string {
  return `<section aria-labelledby="${name}"><h2 id="${name}">${title}</h2>
${toScroll(name, title, columns)}</section>`;
}

/** A table that is too wide scrolls, by keyboard too. */
function toScroll(name: string, title: string, columns: readonly Column[]): string {
  const heads = columns.map(([head, sort]) => {
    const shown = sort ? `<button type="button" data-sort="${sort}">${head}</button>` : head;
    return `<th scope="col">${shown}</th>`;
  });
  return `<div class="scroll" role="region" aria-label="${title}, table" tabindex="0"><table id="${name}-table">
<thead><tr>${heads.join('')}</tr></thead><tbody id="${name}-rows"></tbody></table></div>`;
}

/** @param here - The inspector's path, relative to the document's: so links hold where a proxy has taken a prefix off. */
function documentOf(here: string, content: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>ng-ssr inspector</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<link rel="stylesheet" href="${here}/style.css"></head>
<body>
${content}
</body></html>
`;
}

function lastSegment(root: string): string {
  const segment = root.slice(root.lastIndexOf('/') + 1);
  return segment.replace(/["&<>']/g, (character) => `&#${character.charCodeAt(0)};`);
}
