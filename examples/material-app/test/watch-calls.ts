import { createInterface } from 'node:readline';
import type { ExampleServer } from './example-server.ts';

/** A call that a page of a server has made, as its channel `ng-ssr:call` has it. */
export interface WatchedCall {
  /** Method and target of the page. */
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly rule: string;
  readonly status?: number;
  readonly error?: string;
  readonly result: string;
}

const MARK = 'ng-ssr:call ';
const program = `
  import { subscribe } from 'node:diagnostics_channel';
  import { writeSync } from 'node:fs';
  subscribe('ng-ssr:call', ({ render, ...call }) => writeSync(1, '${MARK}' + JSON.stringify(call) + '\\n'));
`;

/** The environment in which a server prints its calls, for {@link watchCalls}. */
export const PRINTING_CALLS = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}`,
};

/** Collects the calls that a server prints. */
export function watchCalls({ child }: ExampleServer): readonly WatchedCall[] {
  const calls: WatchedCall[] = [];
  createInterface({ input: child.stdout! }).on('line', (line) => {
    if (line.startsWith(MARK)) calls.push(JSON.parse(line.slice(MARK.length)) as WatchedCall);
  });
  return calls;
}
