import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type {
  CallEvent,
  CallRules,
  RenderThreadsOptions,
  SsrOptions,
  WorkerEvent,
} from '@ng-ssr/core';

/** An error that a program has reported. */
export interface Reported {
  readonly code: string;
  readonly message: string;
  readonly cause: string;
}

/** A program of `programs`, in a process of its own. */
export interface Program {
  readonly origin: string;
  /** Its first message. */
  readonly started: Readonly<Record<string, unknown>>;
  readonly errors: Reported[];
  readonly events: WorkerEvent[];
  /** Calls that have ended. */
  readonly calls: Omit<CallEvent, 'render'>[];
  /** The names of renders that have begun. */
  readonly renders: string[];
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly stderr: () => string;
  get(target: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Resolves when all that the program has told so far has come. */
  heard(): Promise<void>;
  /** Resolves to the exit code. */
  close(): Promise<number | null>;
}

/** Options that are plain data. */
export type PlainOptions = Pick<
  SsrOptions,
  'render' | 'routeRules' | 'cache' | 'errorDetails' | 'probes'
> & {
  /** The options of `withRenderThreads`; undefined leaves it out. */
  readonly renderThreads?: RenderThreadsOptions;
  /** The rules of `withCalls`, in `programs/caller.mjs`. */
  readonly calls?: CallRules;
  /** The engine's. */
  readonly failOnError?: boolean;
  /** How long the program's timers take, by the milliseconds they were set to. */
  readonly clock?: Readonly<Record<number, number>>;
};

export function toPath(name: string): string {
  return fileURLToPath(new URL(`programs/${name}`, import.meta.url));
}

/** Starts a program, by default `programs/shop.mjs`; it ends with the test. */
export async function startProgram(
  options: PlainOptions,
  { file = toPath('shop.mjs'), env = {} }: { file?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Program> {
  const browserFolder = mkdtempSync(join(tmpdir(), 'ng-ssr-workers-'));
  writeFileSync(join(browserFolder, 'robots.txt'), 'User-agent: *');
  writeFileSync(join(browserFolder, 'index.csr.html'), '<!doctype html><app-root></app-root>');
  const errors: Reported[] = [];
  const events: WorkerEvent[] = [];
  const calls: Omit<CallEvent, 'render'>[] = [];
  const renders: string[] = [];
  const child = fork(file, {
    env: {
      ...process.env,
      OPTIONS: JSON.stringify({ files: { folder: browserFolder }, ...options }),
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(browserFolder, { recursive: true, force: true });
  });
  const started = await new Promise<Record<string, unknown>>((resolve, reject) => {
    child.on('message', (message: Record<string, unknown>) => {
      if ('error' in message) errors.push(message['error'] as Reported);
      if ('call' in message) calls.push(message['call'] as CallEvent);
      if ('worker' in message) events.push(message['worker'] as WorkerEvent);
      if ('render' in message) renders.push(message['render'] as string);
      if ('origin' in message) resolve(message);
    });
    void ended.then((code) => reject(new Error(`the program ended with ${code}: ${stderr}`)));
  });
  const origin = String(started['origin']);
  return {
    origin,
    started,
    errors,
    events,
    calls,
    renders,
    child,
    ended,
    stderr: () => stderr,
    get: (target, headers = {}) => fetch(origin + target, { headers }),
    heard: () =>
      new Promise((resolve) => {
        const hear = (message: object): void => {
          if (!('pong' in message)) return;
          child.off('message', hear);
          resolve();
        };
        child.on('message', hear);
        child.send('ping');
      }),
    close: () => {
      child.send('close');
      return ended;
    },
  };
}
