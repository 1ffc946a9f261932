/** What is known of an application that is deployed. Paths are from the workspace's root. */
export interface Deployment {
  /** Its name in units, images and Kubernetes: a DNS label (RFC 1123). */
  readonly name: string;
  /** The adapter's package. */
  readonly packageName: string;
  /** Whether the server is a function `(Request) => Response`, and not a listener of node:http. */
  readonly isFetch: boolean;
  /** The folder of the build, and what it has: `server.mjs`, and the browser's files. */
  readonly output: string;
  readonly server: string;
  readonly browser: string;
  /** The port where the server listens unless PORT says otherwise. */
  readonly port: number;
  readonly probes: ProbePaths;
  /** Environment variables with tokens, which the server does not start without. */
  readonly tokens: readonly string[];
  /** Where the server answers with metrics; undefined where it has none. */
  readonly metrics: MetricsPlace | undefined;
  readonly packages: PackageInstall;
  /** The command that builds for production. */
  readonly build: string;
}

/** The paths of the option `probes`. Where one is undefined, only the port is checked. */
export interface ProbePaths {
  readonly live: string | undefined;
  readonly ready: string | undefined;
}

/** Where Prometheus finds the metrics. */
export interface MetricsPlace {
  readonly port: number;
  readonly path: string;
}

/** How an image installs the application's packages. */
export interface PackageInstall {
  /** What has to be there to install: manifests, the lock file, settings. Empty: the whole workspace. */
  readonly files: readonly string[];
  /** Settings that may hold a token for the registry: they are there while packages are installed, and in no layer. */
  readonly secrets: readonly string[];
  /** The command that installs what the lock file says, into a flat node_modules. */
  readonly install: string;
  /** The command that adds a package, for messages. */
  readonly add: string;
}

/** A place where an application runs. */
export interface DeployTarget {
  /** Its name in messages. */
  readonly title: string;
  /** Its page in docs/deploy. */
  readonly page: string;
  /** The files, by their paths from the workspace's root. */
  readonly files: (deployment: Deployment) => Readonly<Record<string, string>>;
  /** The steps that are left, a sentence or a command each. */
  readonly steps: (deployment: Deployment) => readonly string[];
  /** Whether its files ask the probes. */
  readonly hasProbes?: boolean;
}

/** How long `listen` lets requests in flight take by default (`shutdown.timeoutMs`), in seconds. */
export const DRAIN_SECONDS = 10;

/** What ends a process waits longer than its drain, so that the process ends by itself. */
export const STOP_SECONDS = DRAIN_SECONDS + 5;
