import { parseArgs } from 'node:util';

const ADAPTERS = ['koa', 'node', 'fastify', 'express', 'hono', 'h3', 'elysia-bun'];
const ENGINES = ['app', 'common'];

/** What the demo is told by its arguments and its environment. */
export interface DemoOptions {
  readonly adapter: string;
  readonly engine: string;
  readonly seconds: number;
  /** How many times what the server can render it is asked for. */
  readonly factor: number;
  readonly workers: number;
  /** Whether each request opens a connection, as each of many browsers does. */
  readonly opensConnections: boolean;
}

/** Ends the program with a line that says what is wrong. */
export function readOptions(): DemoOptions {
  const values = readArguments();
  return {
    adapter: oneOf('ADAPTER', ADAPTERS),
    engine: oneOf('ENGINE', ENGINES),
    seconds: toWhole('--seconds', values.seconds, 1),
    factor: toWhole('--factor', values.factor, 1),
    workers: toWhole('--workers', values.workers, 0),
    opensConnections: values['new-connections'],
  };
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        seconds: { type: 'string', default: '20' },
        factor: { type: 'string', default: '10' },
        workers: { type: 'string', default: '0' },
        'new-connections': { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

function oneOf(name: string, allowed: readonly string[]): string {
  const value = process.env[name] ?? allowed[0]!;
  return allowed.includes(value) ? value : refuse(name, value, allowed.join(', '));
}

function toWhole(name: string, value: string, least: number): number {
  const isWhole = /^\d+$/.test(value) && Number(value) >= least;
  return isWhole ? Number(value) : refuse(name, value, `a whole number, ${least} or more`);
}

function refuse(name: string, value: string, allowed: string): never {
  console.error(`${name} is ${JSON.stringify(value)}; allowed: ${allowed}`);
  process.exit(1);
}
