/** Numbers as people read them. */
export function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en');
}

/** A time in the unit that suits it. */
export function formatMs(ms: number): string {
  if (Number.isNaN(ms)) return '-';
  if (ms >= 1000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  return `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
}

/** Bytes in MiB. */
export function formatBytes(bytes: number): string {
  return `${formatCount(bytes / 2 ** 20)} MiB`;
}
