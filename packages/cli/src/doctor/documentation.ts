import { ERRORS_PAGE } from '@ng-ssr/core/pack';

const PAGE = new URL('doctor.md', ERRORS_PAGE).href;

/** The section of the documentation about a finding. */
export function sectionOf(id: string): string {
  return `${PAGE}#${id}`;
}
