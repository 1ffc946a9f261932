import { trimOws } from './optional-whitespace.ts';
import { weightOf } from './weight.ts';

/**
 * Whether a client wants HTML (RFC 9110 section 12.5.1): it names `text/html`, as browsers do for pages, or
 * accepts everything without preference. A client that names other types is a program, or wants an image or
 * data, even if it accepts everything else too, as Angular's HttpClient does.
 *
 * @param field - The value of Accept.
 */
export function namesHtml(field: string | undefined): boolean {
  if (field === undefined) return true;
  const ranges = field.toLowerCase().split(',').map(trimOws);
  const isOnly = ranges.filter((range) => range !== '').length === 1;
  return ranges.some((range) => {
    const [name = '', ...parameters] = range.split(';');
    const type = trimOws(name);
    return (type === 'text/html' || (type === '*/*' && isOnly)) && weightOf(parameters) > 0;
  });
}
