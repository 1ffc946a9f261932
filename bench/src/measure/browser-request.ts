/**
 * The request headers of Chromium 156 on Linux, name by name and in its order, as a server on the loopback got
 * them; a visitor's cookies beside them. `{origin}` stands for the server's.
 */

const AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
const BRANDS = '"Not:A-Brand";v="8", "Chromium";v="156"';
const LAST = {
  'Accept-Encoding': 'gzip, deflate, br, zstd',
  'Accept-Language': 'en-US,en;q=0.9',
  Cookie: 'theme=dark; _ga=GA1.1.1204987515.1763712000; visit=0f8b2c1d6e5a4f3b9c7d8e6f5a4b3c2d',
};

/** A visitor has typed the address, or chosen a bookmark. */
export const NAVIGATION: Readonly<Record<string, string>> = {
  Connection: 'keep-alive',
  'sec-ch-ua': BRANDS,
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Linux"',
  'Upgrade-Insecure-Requests': '1',
  'User-Agent': AGENT,
  Accept:
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/jxl,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  'Sec-Fetch-Site': 'none',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-User': '?1',
  'Sec-Fetch-Dest': 'document',
  ...LAST,
};

/** A page has a `<script type="module">`, as Angular's builds do. */
export const MODULE_SCRIPT: Readonly<Record<string, string>> = {
  Connection: 'keep-alive',
  Origin: '{origin}',
  'sec-ch-ua-platform': '"Linux"',
  'User-Agent': AGENT,
  'sec-ch-ua': BRANDS,
  'sec-ch-ua-mobile': '?0',
  Accept: '*/*',
  'Sec-Fetch-Site': 'same-origin',
  'Sec-Fetch-Mode': 'cors',
  'Sec-Fetch-Dest': 'script',
  Referer: '{origin}/',
  ...LAST,
};
