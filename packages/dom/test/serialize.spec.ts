import { it } from 'vitest';
import { same, type AnyNode } from './both-doms.ts';

const HTML = 'http://www.w3.org/1999/xhtml';
const SVG = 'http://www.w3.org/2000/svg';

const TEXTS = [
  ...['a', '<b>&\u00a0"\'>', '</style></script></STYLE><!--x--></noscript>'],
  ...['<!-- </iframe><p> --!> </noscript><!--', '<!--><p>--></xmp>', '', '\n\nx'],
  ...['\ud83d\ude00</style>\ud83d', '-->', '--!>', '>x', '->x', '<!--', '?>'],
  '</noscript></iframe>',
];
const TAGS = [
  ...['p', 'style', 'script', 'xmp', 'iframe', 'noembed', 'noscript', 'noframes', 'plaintext'],
  ...['textarea', 'pre', 'listing', 'title', 'br', 'input', 'wbr', 'keygen', 'frame', 'basefont'],
  ...['bgsound', 'template', 'constructor', '__proto__', 'svg', 'x-y'],
];

it.each(TAGS)('writes %s with any content', (tag) => {
  for (const text of TEXTS) {
    for (const outer of ['div', 'noscript', 'iframe', 'svg']) {
      for (const namespace of [HTML, SVG, null, 'urn:x']) {
        same((document: AnyNode) => {
          const around = document.createElement(outer);
          const element = document.createElementNS(namespace, tag);
          element.setAttribute('title', text);
          around.appendChild(element);
          document.body.appendChild(around);
          element.appendChild(document.createTextNode(text));
          element.appendChild(document.createComment(text));
          const child = document.createElement('style');
          child.appendChild(document.createTextNode(text));
          element.appendChild(child);
          return [
            element.outerHTML,
            element.innerHTML,
            element.firstChild.outerHTML,
            around.innerHTML,
            child.outerHTML,
          ];
        }, '<html><head></head><body></body></html>');
      }
    }
  }
});

it('writes names as they are, and with their prefix', () => {
  same((document: AnyNode) => {
    const seen = [];
    for (const [namespace, name] of [
      [HTML, 'x:DIV'],
      [SVG, 'svg:linearGradient'],
      ['urn:x', 'a:B'],
      [null, 'Foo'],
      ['http://www.w3.org/1998/Math/MathML', 'm:mi'],
      [HTML, 'STYLE'],
      [HTML, 'toString'],
    ]) {
      const element = document.createElementNS(namespace, name);
      element.appendChild(document.createTextNode('<'));
      document.body.appendChild(element);
      seen.push(element.outerHTML, element.tagName);
    }
    return seen;
  });
});

it('writes instructions and doctypes', () => {
  same((document: AnyNode) => {
    for (const parent of ['p', 'noscript']) {
      const element = document.createElement(parent);
      element.appendChild(document.createProcessingInstruction('xml-x', 'a > b </noscript>'));
      document.body.appendChild(element);
    }
    return [
      document.serialize(),
      document.innerHTML,
      document.outerHTML,
      document.doctype.outerHTML,
    ];
  });
});

it('refuses instructions that would end themselves', () => {
  same((document: AnyNode) => document.createProcessingInstruction('x', '?>'));
  same((document: AnyNode) => document.createProcessingInstruction('1', 'x'));
});

it('writes documents of XML', () => {
  same((document: AnyNode) => {
    const xml = document.implementation.createDocument(HTML, 'html', null);
    const style = xml.createElement('STYLE');
    style.appendChild(xml.createTextNode('<'));
    xml.documentElement.appendChild(style);
    return [xml.serialize(), style.tagName, xml.createElement('br').outerHTML];
  });
});

it('writes the content of templates in templates', () => {
  same(
    (document: AnyNode) => document.querySelector('template').innerHTML,
    '<template><p>a<template><b>&lt;</b></template></p><noscript><style></noscript></template><noscript><template><style>x</noscript>',
  );
});

it('writes markup that is set dangerously', () => {
  same((document: AnyNode) => {
    document.body.dangerouslySetInnerHTML = '<b>raw</b>';
    return [document.body.innerHTML, document.body.outerHTML];
  });
});
