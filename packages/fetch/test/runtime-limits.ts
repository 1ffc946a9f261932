/**
 * What servers and runtimes have decided before a handler sees the request: rows of
 * `expectedFailures`, case name to reason.
 */
const rows = (names: readonly string[], reason: string): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, reason]));

/** Request.url is normalised: the path that is left lies inside the site, and is rendered. */
export const dotSegmentsAreGone = rows(
  [
    'target › /../secret.txt is refused',
    'target › /%2e%2e/secret.txt is refused',
    'target › /.%2e/secret.txt is refused',
    'target › /a/%2E%2E/%2e%2e/secret.txt is refused',
    'target › /about/../../secret.txt is refused',
  ],
  'the URL parser takes dot segments away: /secret.txt is left, below the browser folder',
);

/** The same for backslashes, which the URL parser reads as slashes. */
export const backslashesAreGone = rows(
  ['target › /about\\..\\..\\secret.txt is refused'],
  'the URL parser reads backslashes as slashes and takes the dot segments away',
);

/** RFC 9112 section 3.2.2 has servers accept it; the Host field alone decides for whom. */
export const absoluteFormIsTaken = rows(
  [
    'target › http://shop.example/about is refused',
    'target › http://evil.example/about is refused',
  ],
  'absolute-form cannot be told from origin-form in Request.url; Host is checked as ever',
);

/** The asterisk arrives as a path. */
export const asteriskIsAPath = rows(
  ['methods › OPTIONS * is a 400'],
  'the target * arrives as the path /*: a 405',
);

/** Of Bun.serve. */
export const bunLimits = {
  ...dotSegmentsAreGone,
  ...backslashesAreGone,
  ...absoluteFormIsTaken,
  ...rows(
    ['NUL', 'BEL', 'ESC', 'a carriage return', 'a tab', 'a space'].map(
      (name) => `target › a raw ${name} in the target is refused`,
    ),
    'Bun refuses it with 505',
  ),
  ...rows(['methods › a method in lower case is not GET'], 'Bun closes the connection'),
  ...rows(
    ['large files › a part is of the bytes that the same client gets'],
    'Bun takes parts out of a file itself, also where it was to be sent whole',
  ),
  ...rows(
    ['connections › requests sent in one go are answered in their order'],
    'Bun closes a connection that is sent requests behind one that is not answered at once',
  ),
};

/** Of Deno.serve. */
export const denoLimits = {
  ...absoluteFormIsTaken,
  ...asteriskIsAPath,
  ...rows(
    ['host › a Host with no line at all is refused everywhere'],
    'Deno puts its own address into Request.url: pages are refused, routes are not',
  ),
  ...rows(
    ['methods › content of a refused request does not disturb the next'],
    'Deno closes a connection whose request content nobody has read',
  ),
};

/** Of @hono/node-server. */
export const honoLimits = { ...dotSegmentsAreGone, ...absoluteFormIsTaken };

/** Of srvx, h3's server. */
export const h3Limits = {
  ...dotSegmentsAreGone,
  ...backslashesAreGone,
  ...absoluteFormIsTaken,
  ...asteriskIsAPath,
  ...rows(['target › * is refused'], 'the target * arrives as the path /*, which is rendered'),
};
