/** Why tests that send SIGTERM or SIGINT are skipped; undefined where processes can handle these signals. */
export const NO_SIGNALS: string | undefined =
  process.platform === 'win32'
    ? 'on Windows a signal of another process ends a process at once'
    : undefined;
