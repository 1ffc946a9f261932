import { type Command, defineCommand } from '../command.ts';
import { printExplanation } from '../explain/print-explanation.ts';
import { readHeaders } from '../explain/read-headers.ts';
import { readUrl, SERVER_HELP, SERVER_OPTIONS, toClient } from '../server/server-options.ts';
import { colorsFor } from '../terminal/colors.ts';
import { print } from '../terminal/print.ts';
import { shownJson } from '../terminal/shown-text.ts';
import { wrongArguments } from '../wrong-arguments.ts';

const HELP = `Usage: ng-ssr explain <URL> [--header "Name: value"] [--server <URL>] [--json]

Says what a running server would do with a GET request for this URL, and why: whether a file, a stored page or a
render answers, which route rule applies, why the page is not stored. The server renders nothing for it.

  <URL>              for example https://shop.example/products/1
  --header "Name: value"
                     a header of the request. May be given several times
  --server <URL>     the server to ask, where it is another address than that of the URL: one process
                     behind a load balancer, for example
  --json             prints JSON
${SERVER_HELP}  --help             shows this text
`;

export const explainCommand: Command = defineCommand({
  name: 'explain',
  summary: 'Says what a running server would do with a request, and why',
  help: HELP,
  options: {
    ...SERVER_OPTIONS,
    header: { type: 'string', multiple: true, default: [] },
    server: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(values, [written, ...rest]) {
    if (rest.length > 0) throw wrongArguments(`there is more than one URL: ${rest.join(' ')}`);
    const url = readUrl(written, 'the URL');
    const headers = readHeaders(values.header);
    const server = values.server === undefined ? url : readUrl(values.server, 'the server');
    // The server is asked for the host of the page, which it allows.
    const host = values.host ?? (values.server === undefined ? undefined : url.host);
    const client = toClient(server, { ...values, host });
    // As it was written: a URL object would change its path.
    const explanation = await client.explain({ url: written!, headers });
    const { stdout } = process;
    if (values.json === true) print(`${shownJson(explanation)}\n`);
    else print(printExplanation(explanation, stdout.columns ?? 100, colorsFor(stdout)));
    return 0;
  },
});
