import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TurnOrder } from '../measure/render-turn.ts';
import type { Answers, Question } from './side-process.ts';

/** One side of a comparison: a process with its own copy of the build. */
export interface SideProcess {
  readonly side: string;
  ask<Asked extends Question['ask']>(
    question: Extract<Question, { ask: Asked }>,
  ): Promise<Answers[Asked]>;
  /** What ng-ssr has said on stderr: which pages are not fast, and why. */
  notices(): readonly string[];
  stop(): void;
}

/**
 * Copies a build into a folder with the name of a side, which tells its server what to be, and starts it.
 *
 * @param side - The name of the build and how it renders, such as `app/bare`.
 * @param builds - The folder of all builds of an application.
 * @param prefix - What to put before the command.
 */
export function startSide(
  side: string,
  builds: string,
  folder: string,
  order: TurnOrder,
  prefix: readonly string[],
): SideProcess {
  const copy = join(folder, side);
  rmSync(copy, { recursive: true, force: true });
  cpSync(join(builds, dirname(side)), copy, { recursive: true });
  const program = join(import.meta.dirname, 'side-process.ts');
  const module = join(copy, 'server/server.mjs');
  const node = [process.execPath, '--expose-gc', program, module, JSON.stringify(order)];
  const [command, ...args] = [...prefix, ...node];
  const child = spawn(command!, args, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production', NG_ALLOWED_HOSTS: 'localhost' },
  });
  let said = '';
  child.stderr!.on('data', (text: Buffer) => (said = (said + text.toString()).slice(-20_000)));
  return {
    side,
    ask: (question) => askChild(child, question, () => `${side}: ${said.slice(-2000)}`),
    notices: () => [...new Set(said.match(/^.*NG_SSR_.*$/gm))],
    stop: () => child.connected && child.disconnect(),
  };
}

function askChild<Answer>(
  child: ChildProcess,
  question: Question,
  said: () => string,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new Error(`a side has ended: ${said()}`));
    child.once('close', fail);
    child.once('message', (answer) => {
      child.off('close', fail);
      resolve(answer as Answer);
    });
    child.send(question, (error) => error && fail());
  });
}
