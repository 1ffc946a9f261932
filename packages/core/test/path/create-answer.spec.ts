import { type AnswerHead, createAnswer } from '@ng-ssr/core/plug';
import { expect, it } from 'vitest';

function headersOf(content: string | Uint8Array | null, head?: AnswerHead, name = 'own'): Headers {
  const { headers } = createAnswer(name, content, head);
  const pairs = headers.flatMap((text, at) => (at % 2 === 0 ? [[text, headers[at + 1]!]] : []));
  return new Headers(pairs as [string, string][]);
}

it.each(['cache-control', 'Cache-Control', 'CACHE-CONTROL'])('%s replaces no-store', (name) => {
  const headers = headersOf('text', { headers: { [name]: 'max-age=60' } });
  expect(headers.get('cache-control')).toBe('max-age=60');
  expect(headersOf('text').get('cache-control')).toBe('no-store');
});

it('a text is plain text on every adapter, unless a header says otherwise', () => {
  expect(headersOf('<b>text</b>').get('content-type')).toBe('text/plain; charset=utf-8');
  expect(headersOf('{}', { headers: { 'Content-Type': 'a/b' } }).get('content-type')).toBe('a/b');
  for (const content of [null, Buffer.from('bytes')]) {
    expect(headersOf(content).get('content-type')).toBe(null);
  }
});

it.each([204, 205, 304])('a %i has neither content nor Content-Length', (status) => {
  for (const content of [null, 'text']) {
    expect(headersOf(content, { status }).get('content-length')).toBe(null);
    expect(createAnswer('own', content, { status }).body).toBe(null);
  }
});

it('other answers have the length of their bytes', () => {
  expect(headersOf('ä').get('content-length')).toBe('2');
  expect(headersOf(null, { status: 302 }).get('content-length')).toBe('0');
});

it.each(['my feature', 'für', '', 'a\r\nb: c', 'a; hit'])(
  'Cache-Status stays well-formed with the name %j (RFC 9211)',
  (name) => {
    expect(headersOf('text', {}, name).get('cache-status')).toBe('ng-ssr; detail=feature');
    expect(headersOf('text').get('cache-status')).toBe('ng-ssr; detail=own');
  },
);
