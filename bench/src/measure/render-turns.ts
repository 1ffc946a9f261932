/** A program: renders a page by each of several sides in turn, all in this process, and says what each turn cost. */
import { pathToFileURL } from 'node:url';
import { type Render, takeTurn, type Turn, type TurnOrder } from './render-turn.ts';
import { numbersFrom, shuffled } from './seeded-numbers.ts';

/** What the program is given. */
export interface TurnsOrder extends TurnOrder {
  readonly sides: readonly { readonly name: string; readonly module: string }[];
  readonly rounds: number;
  /** For each side, in turns of the same length. */
  readonly warmMs: number;
  readonly seed: number;
}

/** What the program found of one side. */
export interface SideTurns {
  readonly name: string;
  /** One in each round. */
  readonly turns: readonly Turn[];
  /** The page before all turns and after them. */
  readonly first: string;
  readonly last: string;
}

interface Side {
  readonly name: string;
  readonly render: Render;
  readonly first: string;
  readonly turns: Turn[];
}

const order = JSON.parse(process.argv[2]!) as TurnsOrder;
const { sides, path, rounds, turnMs, warmMs, seed } = order;

// A render thread does not keep its process alive.
setInterval(() => undefined, 60_000);

async function load(name: string, module: string): Promise<Side> {
  const { render } = (await import(pathToFileURL(module).href)) as Pick<Side, 'render'>;
  return { name, render, first: await read(render), turns: [] };
}

async function read(render: Render): Promise<string> {
  return Buffer.from(await render(path)).toString();
}

const loaded: Side[] = [];
for (const { name, module } of sides) loaded.push(await load(name, module));
const next = numbersFrom(seed);
const warmRounds = Math.ceil(warmMs / turnMs);
for (let round = -warmRounds; round < rounds; round++) {
  for (const side of shuffled(loaded, next)) {
    const turn = await takeTurn(side.render, order);
    if (round >= 0) side.turns.push(turn);
  }
}
const found: SideTurns[] = [];
for (const { name, render, first, turns } of loaded) {
  found.push({ name, turns, first, last: await read(render) });
}
process.send!(found, () => process.exit(0));
