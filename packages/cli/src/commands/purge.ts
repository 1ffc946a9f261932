import { type Command, defineCommand } from '../command.ts';
import { PURGE_PATH, type PurgeAnswer, type PurgeRequest } from '../server/server-client.ts';
import { readServerUrl, SERVER_HELP, SERVER_OPTIONS, toClient } from '../server/server-options.ts';
import { print } from '../terminal/print.ts';
import { shownJson, shownText } from '../terminal/shown-text.ts';
import { wrongArguments } from '../wrong-arguments.ts';

const HELP = `Usage: ng-ssr purge <server URL> --path <path> | --prefix <prefix> | --tag <tag> [--hard] [--json]

Marks cached pages stale: the next request gets the old page while the server renders it again. Also purges
processes that share the page store, and the CDN of withEdge().

  <server URL>       such as https://shop.example
  --path <path>      the page of this path, with all its variants and queries
  --prefix <prefix>  all pages whose paths start with this
  --tag <tag>        all pages and stored API calls with this tag
  --hard             removes the pages: the next request waits for a render
  --endpoint <path>  the path of withPurgeEndpoint(). Needs the token of the purge endpoint. Default: the inspector,
                     else ${PURGE_PATH}
  --json             prints JSON
${SERVER_HELP}  --help             shows this text
`;

const NAMES = ['path', 'prefix', 'tag'] as const;

export const purgeCommand: Command = defineCommand({
  name: 'purge',
  summary: 'Marks cached pages of a running server stale, or removes them',
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
    if (rest.length > 0) throw wrongArguments(`pass one server only, not also ${rest.join(' ')}`);
    const given = NAMES.filter((name) => values[name] !== undefined);
    const [name] = given;
    if (name === undefined || given.length > 1) {
      throw wrongArguments('pass exactly one of --path, --prefix and --tag');
    }
    const { endpoint } = values;
    if (endpoint !== undefined && !endpoint.startsWith('/')) {
      throw wrongArguments(
        `--endpoint is ${JSON.stringify(endpoint)}; allowed: a path that starts with "/"`,
      );
    }
    const url = readServerUrl(written);
    const value = values[name]!;
    if (name !== 'tag' && !/^\/[^?#]*$/.test(value)) {
      const hint = value.startsWith('/') ? '' : `. Did you mean ${JSON.stringify(`/${value}`)}?`;
      throw wrongArguments(
        `--${name} is ${JSON.stringify(value)}; allowed: a path that starts with "/", without a query${hint}`,
      );
    }
    const purge = { [name]: values[name], hard: values.hard };
    const { here, elsewhere } = await toClient(url, values).purge(purge, endpoint);
    print(
      values.json === true
        ? `${shownJson({ purged: purge, here, elsewhere })}\n`
        : `${describe(purge, { here, elsewhere })}\n`,
    );
    return 0;
  },
});

const PLACES: Readonly<Record<string, string>> = { store: 'the page store', edge: 'the CDN' };

function describe(purge: PurgeRequest, { here, elsewhere = [] }: PurgeAnswer): string {
  const { path, prefix, tag, hard } = purge;
  const which =
    tag !== undefined
      ? `with the tag ${tag}`
      : path !== undefined
        ? `with the path ${path}`
        : `below ${prefix}`;
  const done = hard === true ? 'removed' : 'marked stale';
  if (here === undefined) return shownText(`Pages ${which} are ${done}.`);
  const places = elsewhere.map((place) => PLACES[place]).filter((place) => place !== undefined);
  const also =
    places.length === 0
      ? ''
      : ` Pages in ${places.join(' and ')} are ${done}${here === 0 ? ', if there are any' : ''}.`;
  const pages = here === 1 ? '1 page' : `${here} pages`;
  const said =
    here === 0
      ? `This process has no cached page ${which}.`
      : `${pages} ${which} ${here === 1 ? 'is' : 'are'} ${done} in this process.`;
  return shownText(said + also);
}
