/** The declarations of a style text in their order: `[name, value, priority, name, value, priority ...]`. */
export type Declarations = string[];

const IMPORTANT = '!important';

/** A property name that stays as it is when the text is read again. */
const PLAIN_NAME = /^-{0,2}[a-z][a-z0-9-]*$/;

/**
 * Whether a name is kept as one entry in the order in which it was set. Angular's declaration keeps names as keys of an
 * object: numbers among them move to the front, and an object has `constructor` from its prototype.
 */
export function isPlainName(name: string): boolean {
  return PLAIN_NAME.test(name) && name !== 'constructor';
}

/**
 * Reads a style text as Angular's declaration does: no comments, no escapes, parentheses count within quotes too.
 *
 * @returns `undefined` for a text that would not read the same after it was written from its declarations: unbalanced
 *   quotes or parentheses, names with other characters.
 */
export function parseStyle(text: string): Declarations | undefined {
  const found: Declarations = [];
  let depth = 0;
  let quote = 0;
  let nameStart = 0;
  let valueStart = 0;
  let name = '';
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    switch (code) {
      case 40 /* ( */:
        depth++;
        break;
      case 41 /* ) */:
        depth--;
        break;
      case 34 /* " */:
      case 39 /* ' */:
        if (quote === 0) quote = code;
        else if (quote === code) quote = 0;
        break;
      case 58 /* : */:
        if (name === '' && depth === 0 && quote === 0) {
          name = text.slice(nameStart, i).trim();
          if (!isPlainName(name)) return undefined;
          valueStart = i + 1;
        }
        break;
      case 59 /* ; */:
        if (name !== '' && depth === 0 && quote === 0) {
          add(found, name, text.slice(valueStart, i).trim());
          nameStart = i + 1;
          name = '';
        }
        break;
    }
  }
  if (depth !== 0 || quote !== 0) return undefined;
  if (name !== '') {
    const value = text.slice(valueStart).trim();
    add(found, name, value);
  }
  return found;
}

/** Where the entry of `name` begins in `declarations`; -1 without one. */
export function indexOfName(declarations: Declarations, name: string): number {
  for (let i = 0; i < declarations.length; i += 3) if (declarations[i] === name) return i;
  return -1;
}

/** The text of declarations, as Angular's declaration writes it. */
export function writeStyle(declarations: Declarations): string {
  let text = '';
  for (let i = 0; i < declarations.length; i += 3) {
    if (i > 0) text += ' ';
    text += declarations[i] + ': ' + declarations[i + 1];
    if (declarations[i + 2] !== '') text += ' !important';
    text += ';';
  }
  return text;
}

function add(declarations: Declarations, name: string, text: string): void {
  const important = text.endsWith(IMPORTANT);
  const value = important ? text.slice(0, -IMPORTANT.length).trim() : text;
  const at = indexOfName(declarations, name);
  if (at < 0) {
    declarations.push(name, value, important ? 'important' : '');
    return;
  }
  declarations[at + 1] = value;
  // An earlier priority stays, as in Angular's declaration.
  if (important) declarations[at + 2] = 'important';
}
