import { type Command, defineCommand } from '../command.ts';
import { comparePages } from '../compare/compare-pages.ts';
import { hasFailed, toComparisonJson, toComparisonReport } from '../compare/print-comparison.ts';
import { diagnose } from '../doctor/diagnose.ts';
import { toJson, toReport } from '../doctor/print-report.ts';
import { colorsFor } from '../terminal/colors.ts';
import { print } from '../terminal/print.ts';
import { wrongArguments } from '../wrong-arguments.ts';

const HELP = `Usage: ng-ssr doctor [<output path>] [--project <name>] [--server <file>] [--browser <name>]
                     [--render <path>] [--no-start] [--timeout <seconds>] [--strict] [--json]
       ng-ssr doctor --compare [<output path>] [--project <name>] [--server <file>] [--browser <name>]
                     [--url <path> ...] [--timeout <seconds>] [--json]

Checks a build and its environment, and prints a fix for each finding. Run it where the server runs, with the same
variables: in the image, as a step of the deployment.

The program starts in its own process and stops where it would listen: its top-level code runs, no port is opened,
and nothing is rendered.

  <output path>        Angular's output path, such as dist/shop. Default: from the nearest angular.json
  --project <name>     the project in angular.json, if several have a server
  --server <file>      the program, relative to the output path. Default: server/server.mjs
  --browser <name>     the browser folder, if it is not "browser"
  --render <path>      also renders this page, with its API calls
  --compare            only renders each route fast and with Angular's own DOM, and shows the first difference. The
                       pages make their API calls
  --url <path>         with --compare: also this page, such as one of a route with parameters. Repeatable
  --no-start           does not start the program: checks only files, versions and the environment
  --timeout <seconds>  how long the program may take until it listens, and with --compare each page. Default: 20
  --strict             exits with 1 for warnings too
  --json               prints JSON
  --help               shows this text

Exit codes: 0; 1 for errors, or pages that differ; 2 for wrong arguments.
`;

const NOT_WITH_COMPARE = {
  'no-start': 'it needs the program',
  render: 'pass pages with --url',
  strict: 'a comparison has no warnings',
} as const;

export const doctorCommand: Command = defineCommand({
  name: 'doctor',
  summary: 'Checks a build and its environment',
  help: HELP,
  options: {
    project: { type: 'string' },
    server: { type: 'string' },
    browser: { type: 'string' },
    render: { type: 'string' },
    compare: { type: 'boolean', default: false },
    url: { type: 'string', multiple: true, default: [] },
    'no-start': { type: 'boolean', default: false },
    timeout: { type: 'string', default: '20' },
    strict: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
  async run(values, [outputPath, ...rest]) {
    if (rest.length > 0) {
      throw wrongArguments(`pass one output path only, not also ${rest.join(' ')}`);
    }
    const { project, server, browser, render } = values;
    if (render !== undefined && !render.startsWith('/')) {
      throw wrongArguments(
        `--render is ${JSON.stringify(render)}; allowed: a path that starts with "/"`,
      );
    }
    const urls = values.url;
    for (const url of urls) {
      if (url.startsWith('/')) continue;
      throw wrongArguments(`--url is ${JSON.stringify(url)}; allowed: a path that starts with "/"`);
    }
    if (urls.length > 0 && !values.compare) throw wrongArguments('--url needs --compare');
    if (render !== undefined && values['no-start']) {
      throw wrongArguments('--render cannot be combined with --no-start: it needs the program');
    }
    if (values.compare) {
      for (const [name, why] of Object.entries(NOT_WITH_COMPARE)) {
        const value = values[name as keyof typeof NOT_WITH_COMPARE];
        if (value === undefined || value === false) continue;
        throw wrongArguments(`--${name} cannot be combined with --compare: ${why}`);
      }
      const withinMs = readSeconds(values.timeout) * 1000;
      const report = await comparePages(
        { outputPath, project, server, browser, urls, withinMs },
        { cwd: process.cwd(), env: process.env },
      );
      const isJson = values.json;
      print(
        isJson ? toComparisonJson(report) : toComparisonReport(report, colorsFor(process.stdout)),
      );
      return hasFailed(report) ? 1 : 0;
    }
    const diagnosis = await diagnose(
      {
        ...{ outputPath, project, server, browser, render },
        start: !values['no-start'],
        withinMs: readSeconds(values.timeout) * 1000,
      },
      { cwd: process.cwd(), env: process.env, root: '/' },
    );
    const report = values.json ? toJson(diagnosis) : toReport(diagnosis, colorsFor(process.stdout));
    print(report);
    const bad = values.strict ? ['error', 'warning'] : ['error'];
    return diagnosis.findings.some(({ severity }) => bad.includes(severity)) ? 1 : 0;
  },
});

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= 600) return seconds;
  throw wrongArguments(
    `--timeout is ${JSON.stringify(text)}; allowed: a number of seconds, at most 600`,
  );
}
