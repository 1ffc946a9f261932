import { VERSION } from '@angular/core';
import type { Dom, DomClasses } from '@ng-ssr/dom';
import { DocumentWriter, PROBED_PAGE, probeContract } from '@ng-ssr/dom';

/** Versions of Angular that the specs compare with member by member; any other is probed more when it starts. */
const COMPARED = ['22.2.0'];

const PAGE =
  '<!doctype html><html lang="en"><head><title>a &amp; b</title><style>a > b{}</style>' +
  '<script>if (1 < 2) {}</script></head><body class="a  b" data-x="&quot;&lt;&amp;"><!-- c --><p>x&nbsp;y<br>' +
  '<img src="a.png" alt=""></p><template><b>t</b></template><svg viewBox="0 0 1 1"><path d="M0 0"/>' +
  '</svg><math><mi>x</mi></math><textarea>\n1</textarea><input disabled></body></html>';

/** The part of a document that the probe uses. */
interface ProbedDocument {
  readonly head: ProbedElement;
  readonly body: ProbedElement;
  createElement(name: string): ProbedElement;
  createElementNS(namespace: string, name: string): ProbedElement;
  createTextNode(data: string): object;
  createComment(data: string): object;
  createDocumentFragment(): ProbedElement;
  serialize(): string;
}

interface ProbedElement {
  readonly classList: { add(...names: string[]): void; remove(name: string): void };
  readonly style: { setProperty(name: string, value: string): void };
  readonly lastChild: object;
  textContent: string;
  innerHTML: string;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  appendChild(node: object): object;
  insertBefore(node: object, next: object | null): object;
  removeChild(node: object): object;
}

interface HtmlParser {
  parse(html: string, isLast: boolean): void;
  document(): ProbedDocument;
}

/**
 * Whether documents that the same calls have changed are the same page in this DOM and in Angular's.
 *
 * @param version - The version of Angular.
 */
export function isSameDom(dom: Dom, classes: DomClasses, version: string = VERSION.full): boolean {
  const { HTMLParser: Parser } = classes as { HTMLParser?: new () => HtmlParser };
  if (Parser === undefined) return false;
  const parse = (html: string): ProbedDocument => {
    const parser = new Parser();
    parser.parse(html, true);
    return parser.document();
  };
  if (!COMPARED.includes(version) && !keepsContract(dom, parse(PROBED_PAGE))) return false;
  const theirs = parse(PAGE);
  const ours = dom.createDocument(PAGE, 'http://localhost/');
  change(theirs);
  change(ours as unknown as ProbedDocument);
  const expected = theirs.serialize();
  const written = new DocumentWriter().write(dom.createDocument(WRITTEN, 'http://localhost/'));
  return (
    ours.serialize() === expected &&
    expected.includes('<p class="x y"') &&
    Buffer.from(written?.bytes ?? []).toString() === WRITTEN
  );
}

/** Whether Angular's code finds on our nodes what it reads of its own. */
function keepsContract(dom: Dom, theirs: object): boolean {
  const ours = dom.createDocument(PROBED_PAGE, 'about:blank');
  return probeContract(ours) === probeContract(theirs) && ours.unsupported === undefined;
}

/** A page that is written as bytes. */
const WRITTEN = '<!DOCTYPE html><html><head></head><body class="a">é&nbsp;&lt;<br></body></html>';

function change(document: ProbedDocument): void {
  const { body, head } = document;
  const paragraph = document.createElement('p');
  paragraph.setAttribute('class', 'x');
  paragraph.classList.add('y', 'z');
  paragraph.classList.remove('z');
  paragraph.style.setProperty('color', 'red');
  paragraph.setAttribute('title', '"<&>\u00a0');
  paragraph.setAttribute('hidden', '');
  paragraph.removeAttribute('hidden');
  paragraph.appendChild(document.createTextNode('<&>\u00a0"\u{1f600}'));
  paragraph.appendChild(document.createComment('--><b>'));
  const drawing = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  drawing.setAttribute('viewBox', '0 0 1 1');
  const fragment = document.createDocumentFragment();
  fragment.appendChild(paragraph);
  fragment.appendChild(drawing);
  body.insertBefore(fragment, body.lastChild);
  const script = document.createElement('script');
  script.textContent = '"</script>"';
  head.appendChild(script);
  const block = document.createElement('div');
  block.innerHTML = '<table><tr><td>1</table><i>2';
  body.appendChild(block);
  body.removeChild(body.appendChild(document.createElement('hr')));
}
