import { check } from '@ng-ssr/core/adapter';

/** Where a server is told to listen. */
export interface ListenAddress {
  readonly fd?: number | undefined;
  readonly port?: number | undefined;
  readonly host?: string | undefined;
}

/** The first descriptor that a service manager passes on: `SD_LISTEN_FDS_START`. */
const FIRST_DESCRIPTOR = 3;

/**
 * The descriptor of a socket that already listens: the option `fd`, else the one that systemd has passed on to this
 * process, unless the program names a port or a host.
 *
 * The socket of systemd is taken once, as sd_listen_fds(3) does with `unset_environment`: neither a second server of
 * the program nor a process that it starts takes it for its own.
 *
 * @returns undefined if the server has to bind an address of its own.
 * @throws SsrError `NG_SSR_OPTION_INVALID`
 * @see https://www.freedesktop.org/software/systemd/man/latest/sd_listen_fds.html
 */
export function readSocket({ fd, port, host }: ListenAddress): number | undefined {
  const hasAddress = port !== undefined || host !== undefined;
  if (fd === undefined) return hasAddress ? undefined : takeSocketOfSystemd();
  const isDescriptor = Number.isSafeInteger(fd) && fd >= 0 && !hasAddress;
  check(
    'listen.fd',
    fd,
    isDescriptor,
    'a file descriptor (a number), without listen.port and listen.host',
  );
  return fd;
}

function takeSocketOfSystemd(): number | undefined {
  const { env } = process;
  const { LISTEN_PID: pid, LISTEN_FDS: count } = env;
  // Meant for the process that has passed its environment on to this one.
  if (count === undefined || Number(pid) !== process.pid) return undefined;
  for (const name of ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES']) delete env[name];
  check('LISTEN_FDS', count, count === '1', '1; with several sockets, listen({ fd }) takes one');
  return FIRST_DESCRIPTOR;
}
