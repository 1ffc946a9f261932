/** The table of what was run of each target's files. */

/** What cannot run on a machine without an account or a kernel of its own, by spec. */
const NOT_HERE = {
  'awkward-path': '',
  cluster: '',
  compose: 'Compose and its network: there is no Docker daemon',
  docker: 'the base image and the layers: there is no Docker daemon',
  kubernetes: 'a cluster, the HPA and prometheus-adapter',
  lambda: "Lambda's own runtime and its limits",
  nginx: '',
  platforms: 'Cloud Run, App Hosting, Fly.io, Heroku, Netlify and Vercel: they need accounts',
  pm2: '',
  systemd: 'systemd as process 1, so the hardening in effect',
  varnish: '',
};
const MOST_PATHS = 6;

/** @returns {{ spec: string, started?: string, asked?: string }[]} */
export function readRuns(text) {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/**
 * @param {ReturnType<typeof readRuns>} runs - What the specs have noted.
 * @param report - Vitest's, as JSON.
 */
export function toTable(runs, { testResults }) {
  const rows = testResults
    .map(({ name, assertionResults }) => [specOf(name), assertionResults])
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([spec, tests]) =>
      rowOf(
        spec,
        tests,
        runs.filter((run) => run.spec === spec),
      ),
    );
  const heading = ['run', 'started', 'asked', 'tests', 'not run here'];
  return [heading, heading.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function rowOf(spec, tests, runs) {
  const started = unique(runs.flatMap(({ started: command }) => command ?? [])).map(shortened);
  const asked = runs.flatMap(({ asked: request }) => request ?? []);
  const counts = countsOf(tests);
  return [
    `\`${spec}\``,
    unique(started).map(code).join(', ') || 'nothing',
    asked.length === 0 ? '' : `${asked.length} requests: ${pathsOf(asked)}`,
    counts,
    NOT_HERE[spec] ?? '',
  ].map((cell) => cell.replaceAll('|', '\\|'));
}

function countsOf(tests) {
  const count = (status) => tests.filter((test) => test.status === status).length;
  const others = ['failed', 'pending', 'skipped'].flatMap((status) =>
    count(status) === 0 ? [] : `${count(status)} ${status}`,
  );
  return [`${count('passed')} passed`, ...others].join(', ');
}

/** Probes, and the most frequent requests, with their statuses. */
function pathsOf(asked) {
  const byRequest = Map.groupBy(asked, withoutNames);
  const frequent = [...byRequest].toSorted(
    ([one, ones], [other, others]) =>
      Number(PROBES.test(other)) - Number(PROBES.test(one)) || others.length - ones.length,
  );
  const shown = frequent.slice(0, MOST_PATHS).map(([request]) => code(request));
  const left = frequent.length - shown.length;
  return shown.join(', ') + (left > 0 ? ` and ${left} more` : '');
}

const PROBES = /^\/(readyz|livez) /;

/** Of a run: names of files with hashes, and numbers in paths. */
function withoutNames(request) {
  const [, path, status] = /^(.*) (\d+)$/.exec(request);
  return `${path.replace(/[\w-]+\.(js|mjs|css)$/, '*.$1').replaceAll(/\d+/g, '*')} ${status}`;
}

/** Without folders of this machine and ports of this run. */
function shortened(command) {
  return command
    .replaceAll(/(?<=^|[\s"'])(?:\/[^\s"'/]+)+\//g, '')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1')
    .replace(/ sh -c .*/s, ' …')
    .slice(0, 80);
}

function code(text) {
  return `\`${text.replaceAll('`', "'")}\``;
}

function unique(values) {
  return [...new Set(values)];
}

function specOf(path) {
  return path.replace(/^.*\//, '').replace(/(\.\w+)?\.spec\.ts$/, '');
}
