import { trimOws } from './optional-whitespace.ts';
import { weightOf } from './weight.ts';

/**
 * Whether a client wants HTML (RFC 9110 section 12.5.1): it names `text/html`, as browsers do for pages, or
 * accepts everything without preference. A client that names other types is a program, or wants an image or
 * data, even if it accepts everything else too, as Angular's HttpClient does.
 *
 * @param header - The value of Accept.
 */
export function namesHtml(header: string | undefined): boolean {
  if (header === undefined) return true;
  const ranges = header.toLowerCase().split(',').map(trimOws);
  const isOnly = ranges.filter((range) => range !== '').length === 1;
  return ranges.some((range) => {
    const [name = '', ...parameters] = range.split(';');
    const type = trimOws(name);
    return (type === 'text/html' || (type === '*/*' && isOnly)) && weightOf(parameters) > 0;
  });
}
