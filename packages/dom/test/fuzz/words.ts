/** What the fuzz chooses from: names and values that a DOM treats apart from the others. */

export const HTML = 'http://www.w3.org/1999/xhtml';
export const SVG = 'http://www.w3.org/2000/svg';
export const MATHML = 'http://www.w3.org/1998/Math/MathML';

export const TAGS = [
  ...['div', 'span', 'p', 'a', 'b', 'i', 'em', 'ul', 'li', 'h1', 'section', 'br', 'img', 'hr'],
  ...['input', 'button', 'form', 'label', 'select', 'option', 'optgroup', 'textarea', 'fieldset'],
  ...['table', 'tbody', 'thead', 'tr', 'td', 'th', 'caption', 'colgroup', 'col'],
  ...['template', 'style', 'script', 'noscript', 'iframe', 'title', 'meta', 'link', 'base', 'pre'],
  ...['body', 'head', 'html', 'app-root', 'x-y', 'slot', 'dialog', 'video', 'frameset', 'nobr'],
  ...['svg', 'math', 'DIV', 'plaintext', 'xmp', 'listing', 'marquee', 'details', 'main'],
] as const;

export const FOREIGN_TAGS = [
  ...['svg', 'g', 'path', 'circle', 'foreignObject', 'linearGradient', 'title', 'desc', 'script'],
  ...['math', 'mi', 'mo', 'annotation-xml', 'a', 'style', 'x'],
] as const;

/** Names for elements and attributes which some methods refuse. */
export const ODD_NAMES = [
  ...['', ' ', '1', '-', ':', 'a:b', 'a:', ':a', 'a:b:c', 'a b', 'a<', 'a"b', 'A', 'Ab-C', 'é'],
  ...['ü1', 'xml:lang', 'xmlns', 'xmlns:x', 'xlink:href', 'constructor', 'toString', '_', '$'],
] as const;

export const ATTRIBUTES = [
  ...['id', 'class', 'style', 'title', 'name', 'value', 'href', 'src', 'type', 'for', 'lang'],
  ...['dir', 'checked', 'disabled', 'hidden', 'tabindex', 'data-x', 'data-a-b', 'aria-label'],
  ...['role', 'onclick', 'content', 'charset', 'selected', 'multiple', 'readonly', 'required'],
  ...['maxlength', 'min', 'max', 'colspan', 'viewBox', 'viewbox', '_ngcontent-x', 'ng-version'],
  ...['jsaction', 'ID'],
] as const;

export const VALUES = [
  ...['', ' ', 'a', 'b', 'c', 'a b', ' a  b a ', 'true', 'false', '0', '1', '-1', '3.5', 'x'],
  ...['off', '"', "'", '<', '>', '&', '&amp;', '\u00a0', '\n', '\t', '</div>', '<!--', '-->'],
  ...['--!>', 'é', '\u{1f600}', '\ud800', '/x?y=1#z', 'http://a.b/c', 'javascript:x', '?>', ']]>'],
  ...['\0', 'text', 'color: red', 'color:red;width:1px', 'background: url(a;b)', 'checkbox'],
  ...['radio', 'hidden', '</script>', '</style>', '<script>x</script>', '<b>y</b>', '>', '->'],
  ...['ltr', 'en', 'submit'],
] as const;

export const NAMESPACES = [
  ...[HTML, HTML, SVG, SVG, MATHML, null, '', undefined, 'urn:x'],
  ...['http://www.w3.org/XML/1998/namespace', 'http://www.w3.org/2000/xmlns/'],
  'http://www.w3.org/1999/xlink',
] as const;

export const STYLE_NAMES = [
  ...['color', 'width', 'background-image', '--x', '--X-y', 'float', 'cssFloat', 'margin'],
  ...['z-index', 'WebkitTransform', '-webkit-transform', 'font', 'display', 'COLOR', 'nope', ''],
] as const;

export const STYLE_VALUES = [
  ...['red', '1px', '', null, '0', 'url(a;b)', 'a!important', 'red !important', ' blue '],
  ...['1px; x: y', '"a;b"', '(', ')', ':', ';', '/* c */ red', 'none', 'calc(1px + 2px)'],
] as const;

/** Documents to begin with. */
export const PAGES = [
  '<!DOCTYPE html><html><head><title>t</title></head><body><app-root></app-root></body></html>',
  '<html><head></head><body><div id="a" class="a b">x<p id="b">y</p></div><div id="a"></div></body></html>',
  '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><base href="/b/"><style>a{}</style></head><body class="c"><!--c--><table><tr><td>1</td></tr></table><form id="f"><input name="n" value="v" checked><select><option>1<option selected value="2">2</select><textarea>\n x</textarea></form></body></html>',
  '<!DOCTYPE html><body><svg viewBox="0 0 1 1"><g id="g"><path d="M0"/></g><foreignObject><div>h</div></foreignObject></svg><math><mi>x</mi></math><template><p class="a">t</p></template><noscript><img></noscript>',
  '<body><p>a<b>b<i>c</b>d</i></p><ul><li>1<li>2</ul><a href="/x?y#z" onclick="f()">l</a><button disabled>k</button>',
] as const;
