/**
 * A program whose server cannot start, by the names of server and mistake. Uncaught errors are logged, as by Angular's
 * engines.
 */
import { FAILING_STARTS } from './failing-starts.ts';
import { type ServerName, SERVERS, type Start } from './servers.ts';

process
  .on('unhandledRejection', (error) => console.error('unhandledRejection', error))
  .on('uncaughtException', (error) => console.error('uncaughtException', error));

// As a connection of a page store would, it keeps the process alive.
setInterval(() => undefined, 60_000);

const [server, mistake] = process.argv.slice(2) as [ServerName, string];
const { before, options, listen = {}, own = () => undefined } = FAILING_STARTS[mistake]!;
const start: Start = {
  options: {
    engine: () => null,
    allowedHosts: ['localhost'],
    files: { folder: `${import.meta.dirname}/browser` },
    ...options,
    ...((await before?.()) as object),
  },
  listen,
  own,
};
await SERVERS[server](start);
