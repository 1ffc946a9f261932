import { setTimeout as wait } from 'node:timers/promises';
import { emptyServer, packedServers } from '../contestants/catalogue.ts';
import type { Contestant } from '../measure/contestant.ts';
import { cpuMs } from '../measure/cpu-ms.ts';
import { get } from '../measure/request.ts';
import { settle } from '../measure/server.ts';
import type { Session } from '../measure/session.ts';
import { measureStarts, type Start } from '../measure/starts.ts';
import { UNSTORED } from './built-files.ts';
import type { Scenario } from './scenario.ts';

const NAME = 'start-packed';
const NOTE =
  'At rest the application is loaded and all encodings are made; the empty server codes nothing.';
const ASK_EVERY_MS = 20;
const PATIENCE_MS = 120_000;

async function startOnce(session: Session, contestant: Contestant): Promise<Start> {
  const isEmpty = contestant === emptyServer;
  const sinceMs = performance.now();
  try {
    const { origin, pid } = await session.server({ ...contestant, settles: false });
    while (!isEncoded(await get(`${origin}/`, { 'accept-encoding': 'br' })) && !isEmpty) {
      if (performance.now() - sinceMs > PATIENCE_MS) throw new Error('no answer in br');
      await wait(ASK_EVERY_MS);
    }
    const encodedMs = performance.now() - sinceMs;
    const encodedCpuMs = cpuMs(pid);
    await settle(pid);
    const atRestCpuMs = cpuMs(pid);
    const { status } = await get(origin + UNSTORED);
    if (status !== 200) throw new Error(`${contestant.name}: status ${status}`);
    return {
      'first answer in br': encodedMs,
      'first answer in br, CPU': encodedCpuMs,
      'at rest, CPU': atRestCpuMs,
      'first render after that, CPU': cpuMs(pid) - atRestCpuMs,
    };
  } finally {
    await session.stopServers();
  }
}

function isEncoded({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): boolean {
  return headers['content-encoding'] === 'br';
}

/** What a start costs until the first answer in br, until all encodings are made, and the first render then. */
export const startPackedScenario: Scenario = {
  name: NAME,
  title:
    'from process start to the first answer in br, to rest and to the first render, of the example packed and not',
  run: (session) =>
    measureStarts(
      session,
      { scenario: NAME, note: NOTE },
      [emptyServer, ...packedServers()],
      (contestant) => startOnce(session, contestant),
    ),
};
