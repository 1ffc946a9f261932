/** The value of a header of an answer. */
export function headerOf(
  answer: { readonly headers: readonly string[] } | undefined,
  name: string,
): string | undefined {
  const headers = answer?.headers ?? [];
  const isNamed = (each: string, i: number): boolean =>
    i % 2 === 0 && each.toLowerCase() === name.toLowerCase();
  const at = headers.findIndex(isNamed);
  return at === -1 ? undefined : headers[at + 1];
}
