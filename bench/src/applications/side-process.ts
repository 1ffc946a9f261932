/** A program: one side of a comparison. It renders when its parent asks, and answers over IPC. */
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Render, takeTurn, type Turn, type TurnOrder } from '../measure/render-turn.ts';
import { type RenderProfile, takeProfile } from './take-profile.ts';

/** What the parent asks. */
export type Question =
  | { readonly ask: 'page' }
  | { readonly ask: 'memory'; readonly renders: number }
  | { readonly ask: 'turn' }
  | { readonly ask: 'profile' };

/** What the process holds after full collections. */
export interface Memory {
  readonly residentMb: number;
  readonly heapMb: number;
}

/** What is answered, by what was asked. */
export interface Answers {
  readonly page: string;
  readonly memory: Memory;
  readonly turn: Turn | VoidTurn;
  readonly profile: RenderProfile | VoidTurn;
}

/** A turn in which a page was not rendered: it says nothing about what a render costs. */
export interface VoidTurn {
  readonly voidBecause: string;
}

/** Some objects are freed by the second collection only: those that a finaliser held. */
const COLLECTIONS = 3;
/** V8 gives pages back to the system a while after a collection. */
const REST_MS = 200;

const [module = '', given = ''] = process.argv.slice(2);
const order = JSON.parse(given) as TurnOrder;
const loading = import(pathToFileURL(module).href) as Promise<{ readonly render: Render }>;

async function measureMemory(render: Render, renders: number): Promise<Memory> {
  let begun = 0;
  const renderOn = async (): Promise<void> => {
    while (begun++ < renders) await render(order.path);
  };
  await Promise.all(Array.from({ length: order.concurrency }, renderOn));
  for (let i = 0; i < COLLECTIONS; i++) {
    globalThis.gc!();
    await wait(REST_MS);
  }
  const { rss, heapUsed } = process.memoryUsage();
  return { residentMb: rss / 2 ** 20, heapMb: heapUsed / 2 ** 20 };
}

/** A turn goes on after a failure: renders that are still in flight would be a part of the next side's turn. */
async function takeWholeTurn(render: Render): Promise<Turn | VoidTurn> {
  let voidBecause: string | undefined;
  const renderOrNote: Render = async (path) => {
    try {
      return await render(path);
    } catch (error) {
      voidBecause ??= (error as Error).message;
      return new Uint8Array();
    }
  };
  const turn = await takeTurn(renderOrNote, order);
  return voidBecause === undefined ? turn : { voidBecause };
}

async function answer(question: Question): Promise<Answers[keyof Answers]> {
  const { render } = await loading;
  if (question.ask === 'page') return Buffer.from(await render(order.path)).toString();
  if (question.ask === 'memory') return measureMemory(render, question.renders);
  if (question.ask === 'profile') return takeProfile(() => takeWholeTurn(render));
  return takeWholeTurn(render);
}

// Any other failure ends the process, and the parent says what it printed. A server may keep a process with one.
process.on('message', (question: Question) => {
  answer(question).then(
    (it) => process.send!(it),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.once('disconnect', () => process.exit());
