import { wrongArguments } from '../wrong-arguments.ts';
import { INSPECTOR_PATH, ServerClient } from './server-client.ts';
import { readBasic, readToken } from './token.ts';

/** The options of commands that ask a running server. */
export const SERVER_OPTIONS: {
  readonly 'token-file': { readonly type: 'string' };
  readonly token: { readonly type: 'string' };
  readonly 'inspector-path': { readonly type: 'string'; readonly default: string };
  readonly host: { readonly type: 'string' };
} = {
  'token-file': { type: 'string' },
  token: { type: 'string' },
  'inspector-path': { type: 'string', default: INSPECTOR_PATH },
  host: { type: 'string' },
};

/** Their part of a command's help. */
export const SERVER_HELP: string = `  --token-file <file>
                     a file with the token of withInspector(). Default: the variable NG_SSR_TOKEN has it
  --token <token>    the token. Other users of the machine can read it in the process list
  --inspector-path <path>
                     the path of withInspector(). Default: ${INSPECTOR_PATH}
  --host <host>      an allowed host, if the URL has the address of one process
  NG_SSR_BASIC       a variable with "user:password", for a proxy that asks for HTTP Basic
`;

/** The values of {@link SERVER_OPTIONS}. */
export interface ServerValues {
  readonly 'token-file'?: string | undefined;
  readonly token?: string | undefined;
  readonly 'inspector-path': string;
  readonly host?: string | undefined;
}

/** @throws SsrError `NG_SSR_COMMAND_INVALID` */
export function toClient(url: URL, values: ServerValues): ServerClient {
  const path = values['inspector-path'];
  if (!/^\/[^?#\s]*[^/?#\s]$/.test(path)) {
    throw wrongArguments(
      `--inspector-path is ${JSON.stringify(path)}; allowed: a path that starts with "/", without "/" at its end`,
    );
  }
  const token = readToken(values['token-file'], values.token);
  return new ServerClient(url.origin, path, token, values.host, readBasic());
}

/**
 * The URL of a server, which has no path of its own.
 *
 * @throws SsrError `NG_SSR_COMMAND_INVALID`
 */
export function readServerUrl(written: string | undefined): URL {
  const url = readUrl(written, 'the URL of the server');
  if (url.pathname !== '/' || url.search !== '') {
    throw wrongArguments(
      `${JSON.stringify(written)} has a path; allowed: the URL of a server, such as ${url.origin}`,
    );
  }
  return url;
}

/** @throws SsrError `NG_SSR_COMMAND_INVALID` */
export function readUrl(written: string | undefined, name: string): URL {
  if (written === undefined) throw wrongArguments(`${name} is missing`);
  const url = URL.canParse(written) ? new URL(written) : undefined;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url !== undefined && isWeb && url.username === '' && url.password === '') return url;
  throw wrongArguments(
    `${JSON.stringify(written)} is not the URL of a server; allowed: an http or https URL, such as http://localhost:4000`,
  );
}
