import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const program = fileURLToPath(new URL('fixture/crawled-server.ts', import.meta.url));

/** Asks a server for paths that it does not have, and for a page that fails; gives what it prints. */
async function crawl(engine: string, handler: string, paths: number): Promise<string[]> {
  const child = fork(program, [engine, handler], { silent: true });
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdout!.resume();
  const ended = once(child.stderr!, 'end');
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', () => reject(new Error(`The server has not started: ${stderr}`)));
  });
  const get = async (path: string): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    await response.arrayBuffer();
    return response.status;
  };
  let next = 0;
  const ask = async (): Promise<void> => {
    while (next < paths) expect(await get(`/nowhere/${next++}`)).toBe(404);
  };
  await Promise.all(Array.from({ length: 16 }, ask));
  await get('/reject');
  child.disconnect();
  await ended;
  return stderr.split('\n').filter((line) => line !== '');
}

it.each([
  ['appEngine', 300],
  ['commonEngine', 300],
  ['appEngine with failOnError', 100],
  ['commonEngine with failOnError', 100],
])(
  '%s: %i paths without a page are a few lines, the first of them at once',
  async (name, paths) => {
    const lines = await crawl(name, 'default', paths);
    const ofPaths = lines.filter((line) => line.includes('nowhere'));
    const first = /^ng-ssr: no route matches 1 path; the last one: NG04002: .*'nowhere\/\d+'/;
    expect(ofPaths[0]).toMatch(first);
    // One in ten seconds.
    expect(ofPaths.length).toBeLessThan(20);
    // What fails is printed as ever.
    expect(lines.some((line) => line.includes('the resolver rejected'))).toBe(true);
    expect(lines.length).toBeLessThan(100);
  },
);

it("an ErrorHandler of the application's own is given each of them", async () => {
  const lines = await crawl('appEngine', 'own', 100);
  expect(lines.filter((line) => /^own: .*nowhere/.test(line))).toHaveLength(100);
  expect(lines.filter((line) => line.startsWith('ng-ssr: no route'))).toEqual([]);
});
