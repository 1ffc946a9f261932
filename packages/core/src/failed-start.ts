import { platform } from '#platform';
import { withAdvice } from './browser-globals.ts';
import { showValue } from './check-option.ts';
import { describeBriefly, describeError } from './describe-error.ts';
import { endOfStart, isSsrError, SsrError, toLogLine } from './errors.ts';
import { toLineWithCause } from './log-line.ts';
import { nameSourcesOfCauses } from './name-sources.ts';

/** Errors for which a server could not listen. */
const failures = new WeakSet<object>();

let hasStarted = false;
/** How many servers listened when the first one of ng-ssr was created. */
let listeningBefore: number | undefined;
/** Where Node says that a server listens: also at a socket of the file system, and in a worker of node:cluster. */
const listening = platform.channel('tracing:net.server.listen:asyncEnd');
let isListening = false;

/**
 * From now on, an error that nothing catches ends the process with 1, until a server has started. Further servers of
 * the process do not change what its errors do.
 */
export function watchStart(): void {
  if (hasStarted) return;
  listeningBefore ??= countListening();
  platform.watchUncaught(describeFailedStart);
  listening.subscribe(noteListening);
}

function noteListening(): void {
  isListening = true;
}

/** A server listens, or gets a request: uncaught errors are left to the runtime again. */
export function noteStart(): void {
  if (hasStarted) return;
  hasStarted = true;
  listening.unsubscribe(noteListening);
  endOfStart();
  platform.unwatchUncaught(describeFailedStart);
}

/** A server could not listen because of this error. If nothing handles it, the process ends with 1. */
export function noteFailure(error: unknown): void {
  if (typeof error === 'object' && error !== null) failures.add(error);
  platform.watchUncaught(describeFailedListen);
}

/** Ends the process with 1, for an error of the start that nothing handles. */
export function endWithFailure(error: unknown): never {
  console.error(describeFailure(error));
  process.exit(process.exitCode || 1);
}

/** A server of the program's own may listen, which has had no request for a page yet. */
function describeFailedStart(error: unknown): string | undefined {
  const isOfStart = isSsrError(error) || whyNotToListen(error) !== undefined;
  const mayListen = isListening || countListening() > listeningBefore!;
  return isOfStart || !mayListen ? describeFailure(error) : undefined;
}

function countListening(): number {
  const resources = globalThis.process?.getActiveResourcesInfo?.() ?? [];
  return resources.filter((name) => name === 'TCPServerWrap').length;
}

function describeFailedListen(error: unknown): string | undefined {
  return isNoted(error) ? describeFailure(error) : undefined;
}

function isNoted(error: unknown): boolean {
  return failures.has(Object(error) as object);
}

/** Never throws: the process would end with 7, and without a line. */
function describeFailure(cause: unknown): string {
  try {
    return describe(cause);
  } catch {
    const message =
      'the program failed before its server listened, with an error that cannot be read';
    return toLogLine(new SsrError('NG_SSR_START_FAILED', message));
  }
}

function describe(cause: unknown): string {
  if (isSsrError(cause)) return toLineWithCause(cause);
  const known = whyNotToListen(cause);
  if (known !== undefined) {
    return known.cause === undefined ? toLogLine(known) : toLineWithCause(known);
  }
  const message = 'the program failed before its server listened';
  const error = new SsrError('NG_SSR_START_FAILED', withAdvice(message, cause), { cause });
  nameSourcesOfCauses(error);
  return `${toLogLine(error)} ${describeWithCauses(cause)}`;
}

/** What is wrong with an address at which a server cannot listen, by the code of the error. */
const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'is in use: stop the other program, or choose another port (PORT or listen.port); call listen() once',
  EACCES: 'needs more permissions: choose a port of 1024 or more (PORT or listen.port)',
  EADDRNOTAVAIL: 'is not an address of this machine: choose another one (listen.host)',
};

/** What is wrong with a descriptor, by the same codes. */
const DESCRIPTOR_REASON =
  'listen.fd is not a socket on which this process can listen: pass that of a bound socket';
const DESCRIPTOR_CODES: ReadonlySet<unknown> = new Set(['EINVAL', 'EBADF', 'ENOTSOCK', 'EEXIST']);

/** The codes of hosts that no resolver knows. */
const UNKNOWN_HOST: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'EAI_AGAIN']);

/** The codes of keys and certificates that are not read. */
const TLS_REASONS: Readonly<Record<string, string>> = {
  ERR_OSSL_PEM_NO_START_LINE:
    "a key or certificate is not PEM text: pass the content of the file, as in readFileSync('key.pem')",
  ERR_OSSL_X509_KEY_VALUES_MISMATCH:
    'the key does not belong to the certificate: pass both of the same pair',
};

/** The codes of Deno's errors, which have none. */
const CODES: Readonly<Record<string, string>> = {
  AddrInUse: 'EADDRINUSE',
  AddrNotAvailable: 'EADDRNOTAVAIL',
};

/** An error of node:net, or of the servers of Bun and Deno. */
interface ListenError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly port?: unknown;
  readonly address?: unknown;
  readonly hostname?: unknown;
}

/** Never throws. */
function whyNotToListen(error: unknown): SsrError | undefined {
  try {
    return reasonOf(error);
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): SsrError | undefined {
  const { name, code, syscall, ...place } = Object(error) as ListenError;
  const port = process.env['PORT'];
  if (port !== undefined && !isPort(port) && /\bport\b/i.test(describeBriefly(error))) {
    const message = `PORT is ${showValue(port)} (string); allowed: a number from 0 to 65535`;
    return new SsrError('NG_SSR_OPTION_INVALID', message);
  }
  if (Object.hasOwn(TLS_REASONS, String(code))) {
    const message = `${TLS_REASONS[String(code)]!} (${String(code)})`;
    // Its stack says which one: a program may read others, too.
    return new SsrError('NG_SSR_START_FAILED', message, { cause: error });
  }
  if (UNKNOWN_HOST.has(code) && syscall === 'getaddrinfo' && isNoted(error)) {
    const message = `listen.host ${showValue(place.hostname)} cannot be resolved: use an address of this machine, or leave it out`;
    return new SsrError('NG_SSR_START_FAILED', `${message} (${String(code)})`);
  }
  if (DESCRIPTOR_CODES.has(code) && isNoted(error) && place.port === undefined) {
    return new SsrError('NG_SSR_START_FAILED', `${DESCRIPTOR_REASON} (${String(code)})`);
  }
  // In a worker of node:cluster the primary binds. Of errors that are not noted, those may be about a datagram socket, and
  // those without a system call about a file.
  const isOfListen = syscall === 'listen' || (syscall === 'bind' && isNoted(error));
  const known = isOfListen ? code : CODES[String(name)];
  const reason = typeof known === 'string' ? REASONS[known] : undefined;
  if (reason === undefined) return undefined;
  return new SsrError('NG_SSR_START_FAILED', `${nameOf(place)} ${reason} (${String(known)})`);
}

function isPort(text: string): boolean {
  return Number.isInteger(Number(text)) && Number(text) >= 0 && Number(text) <= 65535;
}

function nameOf({ port, address }: Pick<ListenError, 'port' | 'address'>): string {
  if (typeof port !== 'number') return 'the address to listen on';
  if (typeof address !== 'string' || /^[:.0]*$/.test(address)) return `port ${port}`;
  return `${address.includes(':') ? `[${address}]` : address}:${port}`;
}

const MOST_CAUSES = 5;

/** Not as the runtime would show it: Bun adds the lines of the source, which is a bundle. */
function describeWithCauses(error: unknown): string {
  let text = describeError(error);
  let { cause } = Object(error) as { cause?: unknown };
  for (let depth = 0; depth < MOST_CAUSES && cause !== undefined; depth++) {
    text += `\n  [cause]: ${describeError(cause)}`;
    ({ cause } = Object(cause) as { cause?: unknown });
  }
  return text;
}
