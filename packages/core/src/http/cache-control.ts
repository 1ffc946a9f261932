/** Whether a Cache-Control value has a directive (lower case), with or without an argument. */
export function hasDirective(cacheControl: string | undefined, directive: string): boolean {
  if (cacheControl === undefined) return false;
  for (const part of cacheControl.toLowerCase().split(',')) {
    const equals = part.indexOf('=');
    if ((equals === -1 ? part : part.slice(0, equals)).trim() === directive) return true;
  }
  return false;
}
