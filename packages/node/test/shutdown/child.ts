import { writeSync } from 'node:fs';
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';
import {
  type RequestLogEntry,
  type SsrOptions,
  withRequestLog,
  withServerThreads,
} from '@ng-ssr/core';
import type { ShutdownOptions } from '@ng-ssr/node/server';

/** What a child process is started with. */
export interface ChildSettings {
  readonly browserFolder: string;
  readonly shutdown?: ShutdownOptions | false;
  /** Default: enough for every file to be held. */
  readonly maxFileBytes?: number;
  /** What its `onClose` does, once it has said so on stderr. */
  readonly onClose?: 'end' | 'fail' | 'hang';
  /** How many threads serve. Default: 1. */
  readonly threads?: number;
  /** Whether it writes a line on stderr for each request. */
  readonly isLogging?: boolean;
}

/** What it tells when it exits. */
export interface ChildReport {
  /** The clients' ports of the connections it has accepted; undefined where the framework does not tell. */
  readonly accepted: readonly number[] | undefined;
}

const settings: ChildSettings = JSON.parse(process.argv[2]!);
export const { browserFolder, shutdown } = settings;
const { threads } = settings;

/** How every adapter's server listens. */
export const LISTEN = { port: 0, host: '127.0.0.1', announce: false, shutdown } as const;

/** Renders after `?ms=`, and `/hang` never. */
async function engine({ url }: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(url);
  if (pathname === '/hang') await new Promise(() => undefined);
  await delay(Number(searchParams.get('ms') ?? 0));
  const page = `<html>${pathname}</html>`.padEnd(3000, '.');
  return new Response(page, { headers: { 'content-type': 'text/html' } });
}

export const options: SsrOptions = {
  engine,
  // With the first alone, production has a notice.
  allowedHosts: ['127.0.0.1', 'shop.example'],
  files: {
    folder: browserFolder,
    maxFileBytes: settings.maxFileBytes ?? 32 * 1024 * 1024,
    encodings: [],
  },
  probes: { live: '/livez', ready: '/readyz' },
  ...(settings.onClose !== undefined && { onClose }),
  features: [
    ...(settings.isLogging === true ? [withRequestLog({ write })] : []),
    ...(threads === undefined ? [] : [withServerThreads({ threads })]),
  ],
};

async function onClose(): Promise<void> {
  await delay(10);
  writeSync(2, 'onClose\n');
  if (settings.onClose === 'fail') throw new Error('the pool does not close');
  if (settings.onClose === 'hang') await new Promise(() => undefined);
}

function write(requests: readonly RequestLogEntry[]): void {
  writeSync(2, requests.map(({ target, status }) => `${target} ${status}\n`).join(''));
}

/** Whether a middleware of the user's hangs: its session store is away, and probes must not notice. */
export function isLost(url: string | undefined): boolean {
  return url === '/livez' || url === '/readyz';
}

/** Prints the port, and at the end a {@link ChildReport}. */
export function tell(port: number, server?: Server): void {
  // The main thread speaks for its server threads.
  if (!isMainThread) return;
  const accepted: number[] = [];
  server?.on('connection', ({ remotePort }) => void accepted.push(remotePort ?? 0));
  process.on('exit', () => {
    const report: ChildReport = {
      accepted: server && threads === undefined ? accepted : undefined,
    };
    writeSync(1, `${JSON.stringify(report)}\n`);
  });
  writeSync(1, `${port}\n`);
}
