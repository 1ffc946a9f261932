import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { noteRun } from './run-log.ts';

/** What a function has answered, and the renders that were still in flight then. */
export interface Invocation<Result> {
  readonly result: Result;
  readonly renders: number;
}

/** A function in a process of its own, which stands still between events, as on Lambda. */
export interface LambdaFunction {
  invoke<Result>(event: object): Promise<Invocation<Result>>;
}

/** Starts the lambda.mjs of a folder. */
export async function startLambda(
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<LambdaFunction> {
  noteRun({ started: 'lambda.mjs' });
  const child = fork(join(import.meta.dirname, 'lambda-runtime.mjs'), {
    cwd: folder,
    env: { PATH: process.env['PATH'], AWS_REGION: 'eu-west-1', ...env },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`lambda.mjs ended with ${code}`);
  });
  failed.catch(() => undefined);
  const next = async (): Promise<unknown> => {
    const [message] = (await Promise.race([once(child, 'message'), failed])) as [unknown];
    child.kill('SIGSTOP');
    return message;
  };
  await next();
  return {
    async invoke<Result>(event: object): Promise<Invocation<Result>> {
      child.kill('SIGCONT');
      child.send(event);
      const { result, renders } = (await next()) as { result: string; renders: number };
      return { result: JSON.parse(result) as Result, renders };
    },
  };
}
