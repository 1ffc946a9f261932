import { absoluteFormIsTaken, ownAbsoluteFormIsTaken, rows } from '../runtime-limits.ts';

/** What workerd has decided before a handler sees the request, and what servers without Node lack. */
export const workerdLimits = {
  ...ownAbsoluteFormIsTaken,
  ...absoluteFormIsTaken,
  ...rows(
    ['target › * is refused', 'target › about is refused'],
    'workerd makes a path of it, below the Host',
  ),
  ...rows(
    ['target › /# is refused', 'target › /about#fragment is refused'],
    'workerd drops fragments',
  ),
  ...rows(
    [
      'methods › OPTIONS * is answered for the server as a whole',
      'methods › OPTIONS * is refused for the host evil.example',
      'methods › a connection is answered after OPTIONS *',
    ],
    'workerd shows `*` as the path `/*`',
  ),
  ...rows(
    [
      'methods › a method in lower case is not GET',
      'methods › CONNECT opens nothing, and the server goes on',
    ],
    'workerd answers it itself, with a 5xx',
  ),
  ...rows(
    ['methods › content of a refused request does not disturb the next'],
    'workerd closes a connection whose request content nobody has read',
  ),
  ...rows(
    ['disconnect › a client that leaves while its render is queued is not rendered'],
    'the platform limits renders: none is queued',
  ),
  ...rows(
    [
      'ports › the port listened on is answered, where there is one',
      'ports › the port listened on is answered for a host that a function allows, and no other',
    ],
    'the platform does not say on which port a request has come',
  ),
  ...rows(
    ["engine request › the engine was set up once, with the server's options"],
    'there is no browser folder',
  ),
  ...rows(
    [
      'stored pages › the second request is a hit',
      "stored pages › earlier middleware's headers are on a stored page",
      'stored pages › languages are pages of their own',
    ],
    'the platform codes rendered pages, and adds to their Vary',
  ),
  ...rows(
    [
      'large files › a large file that cannot be opened is a 500, which is reported',
      'large files › a large file that has been emptied since the start arrives as it is now',
      'large files › a large file that has grown since the start arrives as it is now',
      'large files › a large file that has shrunk since the start arrives as it is now',
      'large files › a large file that has gone is a 404, until it is back',
      'large files › answers stay in step when a large file changes between them',
    ],
    'the files of a deployment do not change: their sizes and tags are in the manifest',
  ),
};

/** Groups of cases about what servers without Node lack. */
export const workerdLeftOut = {
  'late calls ›': 'a Worker gives no routes to call in process',
  'calls ›': "withCalls needs Node's modules",
  'builds ›': "the files of other builds are the platform's to keep",
  'asked hosts ›':
    'allowedHosts is a list: one question for several requests would be of one of them',
  'public config ›': 'documents are answered as they are in the manifest',
  'render rules › pages name the speculation rules': 'there is no withSpeculationRules()',
  'inspector ›': "withInspector needs Node's modules",
  'encoded files ›': 'the platform codes files that it keeps',
  'rendered encodings ›': 'the platform codes rendered pages',
  'stored pages › a page that is asked for again comes in': 'the platform codes stored pages',
  'slots › a slot that is hanging': 'what a program reports after its response is of no request',
  'slots › close() waits for a slot': 'workerd keeps the stream of a client that has left',
  'dictionaries ›': 'the feature dictionaries needs zlib',
};
