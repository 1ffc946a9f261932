import { trimOws } from './optional-whitespace.ts';

/**
 * Whether a client wants HTML (RFC 9110 section 12.5.1): it names `text/html`, as browsers do for pages, or
 * takes everything alike. One that names other types is a program, or wants an image or data, even where
 * it takes everything else too, as Angular's HttpClient does.
 *
 * @param field - The value of Accept.
 */
export function namesHtml(field: string | undefined): boolean {
  if (field === undefined) return true;
  const ranges = field.toLowerCase().split(',');
  return ranges.some((range) => {
    const [type, ...parameters] = range.split(';').map(trimOws);
    const isMeant = type === 'text/html' || (type === '*/*' && ranges.length === 1);
    return isMeant && !parameters.some(isZero);
  });
}

/** `q=0`: not acceptable (RFC 9110 section 12.4.2). */
function isZero(parameter: string): boolean {
  return parameter.startsWith('q=') && Number(parameter.slice(2)) === 0;
}
