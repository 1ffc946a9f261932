import type { BuildFacts } from './read-build.ts';
import type { MachineFacts } from './read-machine.ts';
import type { PackageFacts } from './read-packages.ts';
import type { ServerFacts } from './start-server.ts';

/** All that the checks look at. */
export interface Facts {
  readonly build: BuildFacts;
  /** Undefined if the program was not to be started. */
  readonly server: ServerFacts | undefined;
  readonly machine: MachineFacts;
  readonly packages: PackageFacts;
}
