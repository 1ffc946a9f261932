import { type Command, defineCommand } from '../command.ts';
import { readServerUrl, SERVER_HELP, SERVER_OPTIONS, toClient } from '../server/server-options.ts';
import { colorsFor } from '../terminal/colors.ts';
import { print } from '../terminal/print.ts';
import { shownJson } from '../terminal/shown-text.ts';
import { toFrame } from '../top/frame.ts';
import { LiveView } from '../top/live-view.ts';
import { START } from '../top/view.ts';
import { wrongArguments } from '../wrong-arguments.ts';

const HELP = `Usage: ng-ssr top <server URL> [--once] [--json]

Shows a running server, updated every second: hits and renders, the queue, memory, CPU, threads, the slowest routes
and the running renders. Keys: q quits, s sorts the routes, p pauses, ? explains the lines.

  <server URL>       such as http://localhost:4000
  --once             prints one picture and exits, for logs
  --json             prints the state as JSON and exits
${SERVER_HELP}  --help             shows this text
`;

/** Of a picture for a log. */
const COLUMNS = 80;
const ROWS = 40;

export const topCommand: Command = defineCommand({
  name: 'top',
  summary: 'Shows a running server, updated every second',
  help: HELP,
  options: {
    ...SERVER_OPTIONS,
    once: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
  async run(values, [written, ...rest]) {
    if (rest.length > 0) throw wrongArguments(`pass one server only, not also ${rest.join(' ')}`);
    const url = readServerUrl(written);
    const { stdin, stdout } = process;
    const isLive = !values.once && !values.json;
    if (isLive && (!stdout.isTTY || !stdin.isTTY)) {
      throw wrongArguments('top needs a terminal. Without one, use --once or --json');
    }
    const client = toClient(url, values);
    // What is wrong at the start is an error. A server that is away later is waited for.
    const state = await client.state();
    if (values.json) {
      print(`${shownJson(state)}\n`);
    } else if (values.once) {
      const size = { columns: stdout.columns ?? COLUMNS, rows: stdout.rows ?? ROWS };
      const lines = toFrame({ ...START, server: url.host, state }, size, colorsFor(stdout));
      print(`${lines.join('\n')}\n`);
    } else {
      await new LiveView(client, url.host, state, { stdin, stdout }).run();
    }
    return 0;
  },
});
