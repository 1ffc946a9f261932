/** What is wrong with a value of JSON, as "renders.queued is "x"; expected a number"; undefined if nothing is. */
export type Shape = (value: unknown, name: string) => string | undefined;

/** Longer ones are no text of ng-ssr. */
const MOST_CHARACTERS = 64 * 1024;
const SHOWN_CHARACTERS = 40;

export const number: Shape = (value, name) =>
  Number.isFinite(value) ? undefined : wrong(value, name, 'a number');

export const text: Shape = (value, name) => {
  if (typeof value !== 'string') return wrong(value, name, 'a string');
  if (value.length <= MOST_CHARACTERS) return undefined;
  return `${name} has ${value.length} characters; expected at most ${MOST_CHARACTERS}`;
};

export const anything: Shape = () => undefined;

export function oneOf(...values: readonly string[]): Shape {
  return (value, name) =>
    values.includes(value as string) ? undefined : wrong(value, name, values.join(', '));
}

/** JSON leaves members out that are undefined. */
export function optional(shape: Shape): Shape {
  return (value, name) => (value === undefined ? undefined : shape(value, name));
}

export function list(shape: Shape, most: number): Shape {
  return (value, name) => {
    if (!Array.isArray(value)) return wrong(value, name, 'a list');
    if (value.length > most) {
      return `${name} has ${value.length} entries; expected at most ${most}`;
    }
    return first(value.map((each, at) => () => shape(each, `${name}[${at}]`)));
  };
}

/** Other members are allowed: a later version may have more. */
export function object(members: Readonly<Record<string, Shape>>): Shape {
  return (value, name) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return wrong(value, name, 'an object');
    }
    const prefix = name === '' ? '' : `${name}.`;
    return first(
      Object.entries(members).map(
        ([member, shape]) =>
          () =>
            shape((value as Record<string, unknown>)[member], prefix + member),
      ),
    );
  };
}

function first(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const found = check();
    if (found !== undefined) return found;
  }
  return undefined;
}

function wrong(value: unknown, name: string, expected: string): string {
  const shown = JSON.stringify(value) ?? 'undefined';
  const cut = shown.length > SHOWN_CHARACTERS ? `${shown.slice(0, SHOWN_CHARACTERS)}…` : shown;
  return `${name === '' ? 'it' : name} is ${cut}; expected ${expected}`;
}
