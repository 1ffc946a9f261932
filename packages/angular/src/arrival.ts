/**
 * What came of a slot: its data, an error on the server, or nothing: the response has ended without it.
 */
export type Arrival = { readonly data: unknown } | 'failed' | 'absent';
