/**
 * Loaded before the program that serves a build (`node --import`), in a process of its own. The program runs to the
 * point at which it would listen; it never does. What it has set up goes to the parent process.
 */
import { subscribe } from 'node:diagnostics_channel';
import { readdirSync, readFileSync } from 'node:fs';
import { Server } from 'node:net';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';
import type { ServerDescription, ServerEvent, SsrError } from '@ng-ssr/core/pack';
import { answerFills } from './answer-fills.ts';
import { answerQuestions } from './answer-questions.ts';
import { askServer } from './ask-server.ts';
import {
  ASKS,
  type Asks,
  MARK,
  NO_ANSWER,
  NOTHING_KNOWN,
  type WireDescription,
  type WireEndpoint,
  type WireNotice,
} from './probe-message.ts';

const asks = JSON.parse(process.env[ASKS] ?? '{}') as Asks;
delete process.env[ASKS];

let description: ServerDescription | undefined;
const servers: Server[] = [];
let known = NOTHING_KNOWN;
let isConcluding = false;
/** What the program does when its parent has been killed, or has no more questions. */
let leave = (): void => process.exit(0);

// The threads of the program are loaded with this module, too.
if (isMainThread) watchProgram();

function watchProgram(): void {
  subscribe('ng-ssr:server', (message) => learn(message as ServerEvent));
  Server.prototype.listen = function (this: Server) {
    divert(this);
    return this;
  };
  process.on('disconnect', () => leave());
  // A listener would keep a program alive that has ended.
  process.channel?.unref();
  process.once('beforeExit', () => void conclude());
  setTimeout(() => {
    if (!isConcluding) known = { ...known, isLate: true };
    void conclude();
  }, asks.withinMs).unref();
}

function learn(event: ServerEvent): void {
  if (event.event === 'threads') {
    known = { ...known, threads: event.threads };
    return;
  }
  if (event.event === 'start') {
    // A program may have been built with an earlier version.
    if (asks.isFilling === true && 'fill' in event) event.fill();
    if (asks.isFast === undefined) return;
    const isComparable = event.compare(asks.isFast);
    if (description === undefined) known = { ...known, isComparable };
    return;
  }
  if (asks.isFilling !== true) event.description.hold();
  // Of several the first counts: further ones serve other builds, or tests.
  description ??= event.description;
  known = { ...known, description: toPlain(description) };
  if (servers.length > 0) void conclude();
}

/** What `listen` does instead. A server without a listener for requests is one that tries whether a port is free. */
function divert(server: Server): void {
  if (server.listenerCount('request') === 0) {
    process.nextTick(() => server.emit('listening'));
    return;
  }
  servers.push(server);
  known = { ...known, listens: true };
  if (description !== undefined) void conclude();
}

/** Asks the server, tells the parent, and ends the process. */
async function conclude(): Promise<void> {
  if (isConcluding) return;
  isConcluding = true;
  // The program goes on after `listen` has returned: routes may be added there.
  await turn();
  await turn();
  await tell();
  if (description !== undefined) {
    await load(description);
    await tell();
    if (asks.isFast !== undefined) return answerPages(description);
    if (asks.isFilling === true) return takeFills(description);
    await ask(description);
    await tell();
  }
  process.exit(0);
}

async function load({ load: start }: ServerDescription): Promise<void> {
  try {
    const reported = (await start()).map(toNotice);
    const { description: told } = known;
    if (told === undefined) return;
    known = { ...known, description: { ...told, notices: [...told.notices, ...reported] } };
  } catch (error) {
    const loadError = error instanceof Error ? error.message : String(error);
    known = { ...known, loadError };
  }
}

async function ask(described: ServerDescription): Promise<void> {
  const host = hostOf(described);
  // A server of metrics may have been there before.
  const server = servers.at(-1);
  if (host === undefined || server === undefined) return;
  const get = async (path: string | undefined) =>
    path === undefined ? undefined : askServer(server, host, path, asks.withinMs / 2);
  const file = await get(asks.file);
  // The others would not be answered either.
  const answers = file?.status !== NO_ANSWER;
  const page = answers ? await get(asks.page) : undefined;
  const rendered = answers ? await get(asks.render) : undefined;
  known = { ...known, file, page, rendered };
}

/** The parent ends the process when it has asked all. */
async function answerPages(described: ServerDescription): Promise<void> {
  const server = servers.at(-1);
  if (server === undefined) process.exit(0);
  answerQuestions(server, hostOf(described) ?? 'localhost', asks.withinMs);
  known = { ...known, takesQuestions: true };
  await tell();
}

/** The parent asks for pages. */
async function takeFills(described: ServerDescription): Promise<void> {
  // The parent may be too busy to end a program that is late.
  const takesQuestions = 'fill' in described && !known.isLate;
  if (takesQuestions) leave = answerFills(described);
  const loadError = 'it was built with an earlier ng-ssr: build it again';
  known = { ...known, takesQuestions, ...(!takesQuestions && { loadError }) };
  await tell();
  if (!takesQuestions) process.exit(0);
}

/** A host that the server answers for; undefined if it says none. */
function hostOf({ allowedHosts, areHostsAsked }: ServerDescription): string | undefined {
  const [host] = allowedHosts;
  if (host === undefined) return areHostsAsked ? 'localhost' : undefined;
  return host === '*' ? 'localhost' : host.replace(/^\*\./, 'www.');
}

/** A message takes no functions. */
const NO_FUNCTIONS = { close: undefined, fill: undefined, hold: undefined, load: undefined };

function toPlain(described: ServerDescription): WireDescription {
  const { notices, endpoints } = described;
  return {
    ...described,
    ...NO_FUNCTIONS,
    notices: notices.map(toNotice),
    endpoints: endpoints.map(({ isTokenIn, ...endpoint }): WireEndpoint => ({
      ...endpoint,
      tokenFile: findInProgram(isTokenIn),
    })),
  };
}

function toNotice({ code, message }: SsrError): WireNotice {
  return { code, message };
}

/** The file of the program in which a text is found. */
function findInProgram(isIn: (text: string) => boolean): string | undefined {
  const folder = dirname(process.argv[1] ?? '.');
  const names = readdirSync(folder).filter((name) => /\.[mc]?js$/.test(name));
  return names.find((name) => isIn(readFileSync(join(folder, name), 'utf8')));
}

function tell(): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined) return resolve();
    process.send({ [MARK]: known }, undefined, undefined, () => resolve());
  });
}
