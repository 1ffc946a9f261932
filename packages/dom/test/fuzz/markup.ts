import type { Random } from '../../../conformance/src/fuzz/random.ts';
import { ATTRIBUTES, FOREIGN_TAGS, ODD_NAMES, TAGS, VALUES } from './words.ts';

/** A text for innerHTML: often well-formed, sometimes wrong in ways that the standard has rules for. */
export function randomMarkup(random: Random, pieces: number = 1 + random.below(6)): string {
  let markup = '';
  const open: string[] = [];
  for (let piece = 0; piece < pieces; piece++) markup += randomPiece(random, open);
  while (open.length > 0 && random.chance(0.8)) markup += `</${open.pop()}>`;
  return markup;
}

function randomPiece(random: Random, open: string[]): string {
  switch (random.below(10)) {
    case 0:
    case 1:
    case 2: {
      const tag = random.pick(random.chance(0.15) ? FOREIGN_TAGS : TAGS);
      open.push(tag);
      return `<${tag}${randomAttributes(random)}${random.chance(0.08) ? '/' : ''}>`;
    }
    case 3:
      return open.length > 0 && random.chance(0.8) ? `</${open.pop()}>` : `</${random.pick(TAGS)}>`;
    case 4:
    case 5:
    case 6:
      return random.pick(TEXTS);
    case 7:
      return random.pick(COMMENTS);
    case 8: {
      const tag = random.pick(TAGS);
      return `<${tag}${randomAttributes(random)}>${random.pick(TEXTS)}</${tag}>`;
    }
    default:
      return random.pick(ODDITIES);
  }
}

function randomAttributes(random: Random): string {
  let text = '';
  while (random.chance(0.4)) {
    const name = random.pick(random.chance(0.9) ? ATTRIBUTES : ODD_NAMES);
    const value = random.pick(VALUES);
    switch (random.below(4)) {
      case 0:
        text += ` ${name}`;
        break;
      case 1:
        text += ` ${name}=${value}`;
        break;
      case 2:
        text += ` ${name}='${value}'`;
        break;
      default:
        text += ` ${name}="${value}"`;
    }
  }
  return text;
}

const TEXTS = [
  ...['a', 'text', ' ', '\n', '\n x', '&amp;', '&lt;b&gt;', '&nbsp;', '&notit;', '&#x41;', '&#0;'],
  ...['&#128;', '&', '&am', '<', '< a', '\0', '\r\n', '\r', '\u00a0', '\ufeff', '\uffff', '\ud83d'],
  ...['é', '\u{1f600}', ' x '],
] as const;

const COMMENTS = [
  ...['<!--c-->', '<!---->', '<!-->', '<!--->', '<!--a--!>', '<!--a--b-->', '<!--ngb-->', '<!--'],
  ...['<!x>', '<?x?>', '</ x>', '<![CDATA[x]]>', '<!DOCTYPE html>', '<!doctype x PUBLIC "a" "b">'],
] as const;

const ODDITIES = [
  ...['<p><div></p>', '<b><p></b></p>', '<a><a>', '<table>x<tr>', '<tr><td>'],
  ...['<select><div><option>', '<form><form>', '<svg><p>', '<svg><title><p>', '<math><mi><b>'],
  ...['<svg viewbox=1 xlink:href=a />', '<template><tr><td>', '<li><li>', '<option><option>'],
  ...['<br/>', '</p>', '</br>', '<image>', '<h1><h2>', '<textarea>\n\n<b>', '<title><b></title>'],
  ...['<script><!--<script></script>', '<style></b>', '<xmp><i>', '<noscript><p>', '<iframe><p>'],
  ...['<frameset><frame>', '<body class=x>', '<html lang=y>', '<head>'],
  ...['<math><annotation-xml encoding="text/html"><div>', '<svg><foreignObject><div><svg>'],
  ...['<plaintext></a>', '<input type=hidden>', '<table><input type=hidden>', '<table><form>'],
  ...['<caption>', '<col>', '<dd><dt>', '<button><button>', '<nobr><nobr>', '<a href=x=y>'],
  ...['<div a a>', '<div "x=1>', '<div =x>', '<x/y>', '<ruby><rt><rp>'],
] as const;
