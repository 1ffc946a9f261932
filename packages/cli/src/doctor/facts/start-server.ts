import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { type Asks, MARK, type ProbeMessage, NOTHING_KNOWN } from '../probe/probe-message.ts';
import { endProgram, startProgram } from './program-process.ts';

/** How long after its own limit a program that hangs is ended. */
const GRACE_MS = 5000;
/** How much of the program's last output is kept. */
const KEPT_CHARACTERS = 16_000;
/** How long the output of a program that has ended is waited for: processes that it has left may keep it open. */
const OUTPUT_MS = 1000;

/** What the program has set up, or how it has failed. */
export interface ServerFacts extends ProbeMessage {
  /** What ended the program before it had a server; undefined if nothing did. */
  readonly failure: string | undefined;
  /** `ng-ssr: NG_SSR_...: ...` lines that it has printed. */
  readonly printed: readonly { readonly code: string; readonly message: string }[];
}

/**
 * Runs a program, in a process of its own, to the point at which it would listen. Its top-level code runs; no port is
 * opened, and the process is ended after `asks.withinMs` and some seconds.
 */
export async function startServer(
  program: string,
  asks: Asks,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<ServerFacts> {
  const child = startProgram(program, asks, { cwd, env });
  let known = NOTHING_KNOWN;
  let output = '';
  child.on('message', (message: Record<string, unknown>) => {
    if (MARK in message) known = message[MARK] as ProbeMessage;
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-KEPT_CHARACTERS);
  });
  let isHung = false;
  const timer = setTimeout(() => {
    isHung = true;
    endProgram(child);
  }, asks.withinMs + GRACE_MS);
  const closed = once(child, 'close');
  // All messages have come when the channel closes.
  const disconnected = once(child, 'disconnect');
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  clearTimeout(timer);
  await Promise.race([Promise.all([closed, disconnected]), wait(OUTPUT_MS)]);
  const ending =
    isHung || known.isLate
      ? `it did not listen within ${asks.withinMs / 1000} s`
      : `it exited with ${signal ?? code ?? 0}`;
  const hasFailed = known.description === undefined && (isHung || known.isLate || code !== 0);
  return {
    ...known,
    failure: hasFailed ? `${ending}${lastError(output)}` : undefined,
    printed: readNotices(output),
  };
}

/** What ended a program, as the line of its output says: not Node's frame around it, of source, stack and version. */
export function lastError(output: string): string {
  const lines = stripVTControlCharacters(output).split('\n');
  const said = lines.filter((line) => line.trim() !== '' && !FRAME.test(line));
  const line =
    said.findLast((each) => ERROR.test(each)) ??
    said.findLast((each) => !/^\s/.test(each)) ??
    said.at(-1);
  return line === undefined ? '' : `: ${line.trim().replace(CLASS_NAME, '$1: ')}`;
}

/** Lines that Node prints around an uncaught error: of its stack, below its source, after its properties, and last. */
const FRAME = /^(?:\s+at |\s*\^+$|[}\]]|\(Use `node |Node\.js v\d)/;
/** `TypeError: ...`, `Error [ERR_X]: ...`, and `R [SsrError]: ...` of a class with a shortened name. */
const ERROR = /^(?:Uncaught )?(?:[\w$.]*Error(?: \[\w+\])?|[\w$]+ \[\w*Error\]): /;
const CLASS_NAME = /^[\w$]+ \[(\w*Error)\]: /;

function readNotices(output: string): ServerFacts['printed'] {
  const lines = output.matchAll(/^ng-ssr: (NG_SSR_\w+): (.*?)(?: \(https:\S+\))?$/gm);
  return [...lines].map(([, code = '', message = '']) => ({ code, message: message.trim() }));
}
