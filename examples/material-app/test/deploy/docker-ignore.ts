/**
 * Whether a path of the build context is left out, by the lines of a .dockerignore: `*` is a part of a name, `**` any
 * folders, and a folder that is left out takes its files with it.
 */
export function readIgnored(text: string): (path: string) => boolean {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const unknown = lines.filter((line) => line.startsWith('!'));
  if (unknown.length > 0) throw new Error(`exceptions are unknown here: ${unknown.join()}`);
  const patterns = lines.map(toPattern);
  return (path) => patterns.some((pattern) => pattern.test(path));
}

function toPattern(line: string): RegExp {
  const parts = line.match(/\*\*\/|\\.|\*|\?|[^*?\\]+/g) ?? [];
  const source = parts.map((part) => {
    if (part === '**/') return '(?:[^/]+/)*';
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    return (part.startsWith('\\') ? part.slice(1) : part).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${source.join('')}(?:/|$)`);
}
