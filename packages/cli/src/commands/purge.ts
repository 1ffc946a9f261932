import { type Command, defineCommand } from '../command.ts';
import { readServerUrl, SERVER_HELP, SERVER_OPTIONS, toClient } from '../server/server-options.ts';
import { print } from '../terminal/print.ts';
import { shownJson } from '../terminal/shown-text.ts';
import { wrongArguments } from '../wrong-arguments.ts';

const HELP = `Usage: ng-ssr purge <server URL> --path <path> | --prefix <prefix> | --tag <tag> [--hard] [--json]

Marks stored pages stale: the next request for one gets it while it is rendered again. Processes that share a
store and the CDN of the option "cache.edge" are purged too.

  <server URL>       for example https://shop.example
  --path <path>      the pages of this path, all their variants and queries
  --prefix <prefix>  the pages whose paths begin with this
  --tag <tag>        the pages with this tag, and the stored calls with it
  --hard             removes them: the next request for one waits for its render
  --endpoint <path>  the path of the option "cache.purgeEndpoint", for servers without the option "inspector";
                     the token is then that of the purge endpoint
  --json             prints JSON
${SERVER_HELP}  --help             shows this text
`;

const NAMES = ['path', 'prefix', 'tag'] as const;

export const purgeCommand: Command = defineCommand({
  name: 'purge',
  summary: 'Marks stored pages of a running server stale, or removes them',
  help: HELP,
  options: {
    ...SERVER_OPTIONS,
    path: { type: 'string' },
    prefix: { type: 'string' },
    tag: { type: 'string' },
    hard: { type: 'boolean', default: false },
    endpoint: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(values, [written, ...rest]) {
    if (rest.length > 0) throw wrongArguments(`there is more than one server: ${rest.join(' ')}`);
    const given = NAMES.filter((name) => values[name] !== undefined);
    const [name] = given;
    if (name === undefined || given.length > 1) {
      throw wrongArguments('exactly one of --path, --prefix and --tag says which pages are purged');
    }
    const { endpoint } = values;
    if (endpoint !== undefined && !endpoint.startsWith('/')) {
      throw wrongArguments(`--endpoint is ${JSON.stringify(endpoint)}; allowed: a path from "/"`);
    }
    const url = readServerUrl(written);
    const purge = { [name]: values[name], hard: values.hard };
    await toClient(url, values).purge(purge, endpoint);
    const done = values.hard ? 'removed' : 'marked stale';
    const which = `${name} ${values[name]}`;
    print(
      values.json === true
        ? `${shownJson({ purged: purge })}\n`
        : `Pages with ${which} are ${done}.\n`,
    );
    return 0;
  },
});
