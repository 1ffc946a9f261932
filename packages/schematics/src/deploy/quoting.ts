/** A word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Arguments of a command that give variables the values that they have in the shell. */
export function assignments(variables: readonly string[]): string {
  return variables.map((name) => ` ${name}="$${name}"`).join('');
}

/** A value of YAML, also within `{ }`. A string of JSON is one of YAML. */
export function yamlValue(text: string): string {
  const isPlain = /^[A-Za-z_/][\w./ -]*$/.test(text) && !/ $/.test(text);
  return isPlain && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(text) ? text : quoted(text);
}

/** A string of TOML: its basic strings have the escapes of JSON. */
export function tomlValue(text: string): string {
  return quoted(text);
}

/** A string of JavaScript, with single quotes where nothing needs an escape. */
export function scriptString(text: string): string {
  return /^[^'"\\\p{C}\u2028\u2029]*$/u.test(text) ? `'${text}'` : quoted(text);
}

/** A file of the build as a module that is imported: a specifier is a URL, and bundlers leave spaces as they are. */
export function scriptSpecifier(path: string): string {
  const url = path.replace(/[%?#\\]/g, (character) => encodeURIComponent(character));
  return scriptString(url);
}

/**
 * An argument of a program that systemd starts: `%` begins a specifier, and `$` a variable.
 *
 * @see systemd.service(5), "Command lines"
 */
export function systemdWord(text: string): string {
  const escaped = text.replace(/[%$]/g, '$&$&');
  return /^[\w@%+=:,./$-]+$/.test(escaped) ? escaped : quoted(escaped);
}

/**
 * The paths of Docker's COPY. They are patterns (of Go's filepath.Match) in which variables are replaced; the form of
 * JSON takes spaces.
 */
export function dockerPaths(from: string, to: string): string {
  const source = from.replace(/[*?[]/g, '[$&]');
  const paths = [source, to].map((path) => path.replace(/[\\$]/g, '\\$&'));
  return paths.every((path) => /^[\w@%+=:,./-]+$/.test(path))
    ? paths.join(' ')
    : `[${paths.map(quoted).join(', ')}]`;
}

/** A path in .dockerignore, whose lines are patterns. */
export function ignoredPath(path: string): string {
  return path.replace(/[\\*?[]/g, '\\$&');
}

/** A pattern of Netlify's and Vercel's (minimatch) that matches this path alone. */
export function literalPattern(path: string): string {
  return path.replace(/[\\*?[\]{}()!+@]/g, '\\$&');
}

/** As JSON, in ASCII but for letters: line ends of Unicode and invisible characters are escaped. */
function quoted(text: string): string {
  const escape = (character: string): string =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join('');
  return JSON.stringify(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escape);
}
