/** A program: one render after another on each of some connections. It begins when its parent says so. */
import { once } from 'node:events';
import { Agent } from 'node:http';
import { fetchOnce } from './fetch-once.ts';
import type { RenderLoop } from './paced-load.ts';

const { url, connections, seconds } = JSON.parse(process.argv[2]!) as RenderLoop;
const agent = new Agent({ keepAlive: true });
process.send!('ready');
await once(process, 'message');

const end = performance.now() + seconds * 1000;
let renders = 0;
const renderLoop = async (): Promise<void> => {
  while (performance.now() < end) {
    await fetchOnce(agent, url);
    if (performance.now() < end) renders++;
  }
};
await Promise.all(Array.from({ length: connections }, renderLoop));
agent.destroy();
process.send!(renders, () => process.disconnect());
