import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

test.each(['koa', 'fastify'])(
  'a program on %s that also listens in its render threads is told so, and renders on the main thread',
  async (adapter) => {
    const program = fileURLToPath(new URL('threads/unguarded.ts', import.meta.url));
    const child = spawn(process.execPath, [program, adapter], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const said: Record<string, unknown> = {};
    for await (const line of createInterface(child.stdout)) {
      Object.assign(said, JSON.parse(line));
      if ('port' in said && 'code' in said) break;
    }
    expect(said).toMatchObject({
      code: 'NG_SSR_WORKER_NOT_STARTED',
      message: expect.stringMatching(
        /listen\(\) was called in a render thread.* isMainModule\(import\.meta\.url\).*; pages are rendered on the main thread$/,
      ) as string,
    });
    expect(await (await fetch(`http://127.0.0.1:${String(said['port'])}/`)).text()).toBe('0');
  },
);
