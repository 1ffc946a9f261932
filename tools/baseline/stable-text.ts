const DAY_MS = 86_400_000;
const HTTP_DATE = /\b\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g;
const EPOCH_MS = /\b\d{13}\b/g;
const PORT = /(?<=[\w\]]:)\d{5}\b/g;
/** The ports that Linux, macOS and Windows give to servers that listen on port 0. */
const FIRST_PORT = 32_768;
/** Its signature has the secret of the process. */
const SESSION = /(?<=ng-ssr-inspector=)[^;\s]+/g;

/**
 * Text without what differs between two runs of the same code: times near the run, ports and sessions.
 * Times that are far from it belong to the fixtures, and stay.
 *
 * @param nowMs - A time during or soon after the run.
 */
export function toStableText(text: string, nowMs: number): string {
  const isNear = (timeMs: number): boolean => Math.abs(timeMs - nowMs) < DAY_MS;
  return text
    .replace(HTTP_DATE, (date) => (isNear(Date.parse(date)) ? '<date>' : date))
    .replace(SESSION, '<session>')
    .replace(EPOCH_MS, (digits) => (isNear(Number(digits)) ? '<time>' : digits))
    .replace(PORT, (digits) => (isEphemeral(Number(digits)) ? '<port>' : digits));
}

function isEphemeral(port: number): boolean {
  return port >= FIRST_PORT && port <= 65_535;
}
