import { type Command, defineCommand } from '../command.ts';
import { printExplanation } from '../explain/print-explanation.ts';
import { readHeaders } from '../explain/read-headers.ts';
import { readUrl, SERVER_HELP, SERVER_OPTIONS, toClient } from '../server/server-options.ts';
import { colorsFor } from '../terminal/colors.ts';
import { print } from '../terminal/print.ts';
import { shownJson } from '../terminal/shown-text.ts';
import { wrongArguments } from '../wrong-arguments.ts';

const HELP = `Usage: ng-ssr explain <URL> [--header "Name: value"] [--server <URL>] [--json]

Shows how a running server would respond to a GET request for this URL, and why: with a file, a cached page or a
render, which route rule applies, and why the page is not cached. Nothing is rendered.

  <URL>              such as https://shop.example/products/1
  --header "Name: value"
                     a request header. Repeatable
  --server <URL>     the server to ask, if it has another address than the URL: for example, one process behind
                     a load balancer. For an http URL, --host does the same: http://localhost:4000/ --host shop.example
  --json             prints JSON
${SERVER_HELP}  --help             shows this text
`;

export const explainCommand: Command = defineCommand({
  name: 'explain',
  summary: 'Shows how a running server would respond to a request, and why',
  help: HELP,
  options: {
    ...SERVER_OPTIONS,
    header: { type: 'string', multiple: true, default: [] },
    server: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(values, [written, ...rest]) {
    if (rest.length > 0) throw wrongArguments(`pass one URL only, not also ${rest.join(' ')}`);
    const url = readUrl(written, 'the URL');
    const headers = readHeaders(values.header);
    const server = values.server === undefined ? url : readUrl(values.server, 'the server');
    // The server is asked for the host of the page, which it allows.
    const host = values.host ?? (values.server === undefined ? undefined : url.host);
    const client = toClient(server, { ...values, host });
    const explanation = await client.explain({ url: explainedUrl(written!, values), headers });
    const { stdout } = process;
    if (values.json === true) print(`${shownJson(explanation)}\n`);
    else print(printExplanation(explanation, stdout.columns ?? 100, colorsFor(stdout)));
    return 0;
  },
});

/** The page's URL with the given host if it has the address of a server, else as it was written: a URL object would change its path. */
function explainedUrl(
  written: string,
  { host, server }: { readonly host?: string; readonly server?: string },
): string {
  if (host === undefined || server !== undefined) return written;
  return written.replace(/^(\w+:\/*)[^/?#\\]+/, (_all, scheme: string) => scheme + host);
}
