/** Cases in which the encoding of a response depends on the speed of the machine. */
interface UnsteadyCases {
  readonly names: RegExp;
  readonly reason: string;
}

const IN_BACKGROUND = 'other encodings of a stored page are made while the case goes on';

const UNSTEADY: readonly UnsteadyCases[] = [
  {
    names: /^rendered encodings › pages that come together are whole/,
    reason: 'a page that would wait too long to be compressed is sent as it is',
  },
  { names: /^dictionaries › Available-Dictionary with .* is ignored$/, reason: IN_BACKGROUND },
  { names: /^dictionaries › a request .* the difference$/, reason: IN_BACKGROUND },
  { names: /^dictionaries › a stored page and a built page come as/, reason: IN_BACKGROUND },
  { names: /^dictionaries › a client that has a page is told so/, reason: IN_BACKGROUND },
];

/** Whether a transcript leaves out the encodings of a case: its responses' bytes, lengths and tags. */
export function hasUnsteadyEncodings(name: string): boolean {
  return UNSTEADY.some(({ names }) => names.test(name));
}
