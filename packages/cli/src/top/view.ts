import type { InspectorState } from '@ng-ssr/core';

/** By which the routes are sorted, in the order of the key. */
export const SORTS = ['total', 'mean', 'max', 'renders', 'failed'] as const;
export type Sort = (typeof SORTS)[number];

/** All that a picture shows. */
export interface View {
  /** The name of the server. */
  readonly server: string;
  readonly state: InspectorState;
  readonly sort: Sort;
  readonly isPaused: boolean;
  readonly hasHelp: boolean;
  /** Why the state is old; undefined while the server answers. */
  readonly trouble: string | undefined;
}

export const START = {
  sort: 'total',
  isPaused: false,
  hasHelp: false,
  trouble: undefined,
} as const;

/** The cells of a terminal. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}
