import { TRACE_IDS } from '../cache/call-key.ts';

/** Content negotiation, directives for caches, and preferences of browsers. */
const ORDINARY =
  /^(?:accept(?:-.*)?|user-agent|content-.*|cache-control|pragma|save-data|dnt|sec-gpc|sec-ch-.*)$/;

/**
 * Whether a request header says nothing of who the visitor is: many visitors send the same value, or it is the id of a trace.
 * Any other header, such as X-Session or X-Forwarded-For, may.
 *
 * @param name - In lower case.
 */
export function isOrdinary(name: string): boolean {
  return ORDINARY.test(name) || TRACE_IDS.has(name);
}
