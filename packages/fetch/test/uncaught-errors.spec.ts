import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bun, deno, type Runtime } from './runtimes/runtime.ts';

const program = fileURLToPath(new URL('runtimes/failing-pages.ts', import.meta.url));

/** Starts the program; it ends with the test. */
async function start({ command: [file, ...parameters] }: Runtime) {
  const child = spawn(file, [...parameters, program], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  const errors: string[] = [];
  const port = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error('The server has not started.')));
    createInterface({ input: child.stdout })
      .once('line', (line) => {
        resolve(line);
      })
      .on('line', (line) => void (line === '' || /^\d/.test(line) || errors.push(line)));
  });
  const get = async (path: string): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    await response.arrayBuffer();
    return response.status;
  };
  return { child, errors, get };
}

describe.each(Object.entries({ bun, deno }))('on %s', (_name, runtime) => {
  test.skipIf(runtime.missing !== undefined)(
    'an uncaught error of a page is reported, and the page answered',
    async () => {
      const { child, errors, get } = await start(runtime);
      expect(await get('/rejects')).toBe(200);
      await expect.poll(() => errors).toHaveLength(1);
      expect(await get('/throws-in-timer')).toBe(200);
      expect(await get('/rejects-later')).toBe(200);
      await expect
        .poll(() => errors)
        .toEqual([
          'NG_SSR_ERROR_UNHANDLED: Error: nobody waited',
          'NG_SSR_ERROR_UNHANDLED: Error: nobody caught it',
          'NG_SSR_ERROR_UNHANDLED: Error: too late',
        ]);
      expect(await get('/page')).toBe(200);
      expect(child.exitCode).toBeNull();
    },
  );

  test.skipIf(runtime.missing !== undefined)(
    'many at once end no server, and each is reported',
    async () => {
      const { child, errors, get } = await start(runtime);
      const paths = ['/rejects', '/throws-in-timer', '/rejects-later', '/page'];
      const answers = await Promise.all(Array.from({ length: 80 }, (_, i) => get(paths[i % 4]!)));
      expect(answers.filter((status) => status !== 200)).toEqual([]);
      await expect.poll(() => errors.length).toBe(60);
      expect(await get('/page')).toBe(200);
      expect(child.exitCode).toBeNull();
    },
  );
});
