/** An action that is run once, when it is first asked for: later calls have the result of the first. */
export function once(action) {
  let result;
  return () => (result ??= action());
}
