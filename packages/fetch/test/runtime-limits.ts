/**
 * What servers and runtimes have decided before a handler sees the request: rows of
 * `expectedFailures`, case name to reason.
 */
export const rows = (names: readonly string[], reason: string): Record<string, string> =>
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

const absolute = (origin: string, path: string): string[] => [
  `target › ${origin}${path} is refused`,
  `target › ${origin}/ in front of a path reaches no route`,
];

/** RFC 9112 section 3.2.2 has servers accept it; Host decides, and no application sees another origin. */
export const ownAbsoluteFormIsTaken = rows(
  absolute('http://shop.example', '/about'),
  'absolute-form for the own host cannot be told from origin-form in Request.url',
);

/** Bun makes Request.url of Host and the path of the target, whatever origin that names. */
export const absoluteFormIsTaken = rows(
  [
    ...absolute('http://evil.example', '/about'),
    'target › https://evil.example:444/ in front of a path reaches no route',
  ],
  'the origin of an absolute-form target is in nothing that Bun hands over: Host stands in its place',
);

/** The server refuses what is no URL. */
export const asteriskIsRefused = rows(
  [
    'methods › OPTIONS * is answered for the server as a whole',
    'methods › a connection is answered after OPTIONS *',
  ],
  'the server refuses the target itself, with a 400 of its own: it is no URL',
);

/** Of Bun.serve. */
export const bunLimits = {
  ...dotSegmentsAreGone,
  ...backslashesAreGone,
  ...ownAbsoluteFormIsTaken,
  ...absoluteFormIsTaken,
  ...asteriskIsRefused,
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
  ...ownAbsoluteFormIsTaken,
  ...rows(
    ['host › a Host with no line at all is refused everywhere'],
    'Deno puts its own address into Request.url: pages are refused, routes are not',
  ),
  ...rows(
    ['methods › content of a refused request does not disturb the next'],
    'Deno closes a connection whose request content nobody has read',
  ),
  ...rows(
    ['disconnect › a client that leaves while its render is queued is not rendered'],
    "Deno aborts a request's signal after every answer, so it does not say that a client has left",
  ),
};

/** Of @hono/node-server. */
export const honoLimits = {
  ...dotSegmentsAreGone,
  ...asteriskIsRefused,
  ...rows(
    ['ports › shop.example: is answered', 'ports › [::1]: is answered'],
    '@hono/node-server refuses a Host with an empty port',
  ),
};

/** Of srvx, h3's server. */
export const h3Limits = { ...dotSegmentsAreGone, ...backslashesAreGone };
