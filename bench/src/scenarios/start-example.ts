import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ourServers } from '../contestants/catalogue.ts';
import type { Contestant } from '../measure/contestant.ts';
import { cpuMs } from '../measure/cpu-ms.ts';
import { get } from '../measure/request.ts';
import type { Session } from '../measure/session.ts';
import { measureStarts, type Start } from '../measure/starts.ts';
import { UNSTORED } from './built-files.ts';
import type { Scenario } from './scenario.ts';

const NAME = 'start-example';
const NOTE = 'The render is asked for when the hit is answered; the file cache is warm.';

async function startOnce(session: Session, contestant: Contestant): Promise<Start> {
  const sinceMs = performance.now();
  const ask = async (origin: string, path: string): Promise<number> => {
    const { status } = await get(origin + path);
    if (status !== 200) throw new Error(`${contestant.name}: status ${status}`);
    return performance.now() - sinceMs;
  };
  try {
    const { origin, pid } = await session.server({ ...contestant, settles: false });
    return {
      'first hit': await ask(origin, '/'),
      'first hit, CPU': cpuMs(pid),
      'first render': await ask(origin, UNSTORED),
      'first render, CPU': cpuMs(pid),
    };
  } finally {
    await session.stopServers();
  }
}

/** From the start of a process to its first prerendered and its first rendered page. */
export const startExampleScenario: Scenario = {
  name: NAME,
  title: 'from process start to the first hit, and from there to the first render, of the example',
  async run(session) {
    const compileCache = mkdtempSync(join(tmpdir(), 'ng-ssr-bench-'));
    const node = ourServers().find(({ name }) => name === 'ng-ssr node')!;
    const cached = {
      ...node,
      name: `${node.name}, NODE_COMPILE_CACHE`,
      env: { ...node.env, NODE_COMPILE_CACHE: compileCache },
    };
    try {
      return await measureStarts(
        session,
        { scenario: NAME, note: NOTE },
        [node, cached],
        (contestant) => startOnce(session, contestant),
      );
    } finally {
      rmSync(compileCache, { recursive: true, force: true });
    }
  },
};
