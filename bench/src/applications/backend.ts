import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** What the application asks for data, if its folder has one: it runs meanwhile, and prints a line when it listens. */
export async function startBackend(folder: string): Promise<() => void> {
  const program = join(folder, 'backend.mjs');
  if (!existsSync(program)) return () => undefined;
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close').then(() => Promise.reject(new Error(`${program} has ended`)));
  await Promise.race([once(child.stdout, 'data'), ended]);
  ended.catch(() => undefined);
  return () => child.kill();
}
