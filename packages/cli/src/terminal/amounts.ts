const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** `1.2 MB`: three digits at most, in units of 1024. */
export function toBytesText(bytes: number): string {
  let unit = 0;
  let value = bytes;
  while (value >= 999.5 && unit < BYTE_UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value)} ${BYTE_UNITS[unit]}`;
}

/** `12,345`, and from a million on `1.2M`. */
export function toCountText(count: number): string {
  if (count >= 999_500) return `${(count / 1e6).toFixed(1)}M`;
  return Math.round(count).toLocaleString('en-US');
}

/** `850 ms`, `3.2 s`, `4 min`, `3 h 12 min`, `5 d 2 h`. */
export function toTimeText(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 59.95) return `${seconds < 9.95 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${Math.max(1, minutes)} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
