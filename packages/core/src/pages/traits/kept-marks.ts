import type { Fill } from '../../answers/fill.ts';
import type { Choose } from '../../answers/resource.ts';
import type { HeaderList } from '../../http/header-list.ts';
import type { PageMarks } from './page-trait.ts';

/** The marks of all traits of one page; every page has the same members. */
export interface KeptMarks {
  readonly query: string;
  readonly isCoded: boolean;
  readonly headers: HeaderList;
  /** In place of the page's own Vary; undefined to leave that. */
  readonly vary: string | undefined;
  readonly always: HeaderList;
  /** Undefined, as `stale` is, where no trait has headers by moment. */
  readonly fresh: HeaderList | undefined;
  readonly stale: HeaderList | undefined;
  readonly fill: Fill | undefined;
  readonly choose: Choose | undefined;
  readonly wanted: PageMarks['wanted'];
  readonly awaitsCoding: boolean;
  readonly stored: PageMarks['stored'];
  readonly dropped: PageMarks['dropped'];
}
