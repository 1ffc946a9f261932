import { createRequire } from 'node:module';

import { describe, expect, it } from 'vitest';

import { entityTag } from '../src/index.ts';
import { entityTag as entityTagOfScript } from '../src/script.ts';
import { implementations, missingAddon } from './implementations.ts';
import { referenceBytes, referenceDigests } from './reference-digests.ts';

/** An implementation of somebody else's, to compare. */
const { XXHash3 } = createRequire(import.meta.url)('xxhash-addon') as {
  XXHash3: { hash(data: Buffer): Buffer };
};

const toTag = (digest: Buffer): string => `"${digest.toString('base64url')}"`;
const tagOf = (bytes: Buffer): string => toTag(XXHash3.hash(bytes));

for (const { name, write, isMissing } of implementations) {
  describe.skipIf(isMissing)(`${name}${isMissing ? ` (${missingAddon})` : ''}`, () => {
    it('knows the digest of nothing', () => {
      const tag = toTag(Buffer.from('2d06800538d394c2', 'hex'));
      expect(write(new Uint8Array(0), false)).toBe(tag);
      expect(write('', false)).toBe(tag);
    });

    const bytes = referenceBytes(referenceDigests.at(-1)![0]);
    it.each(referenceDigests)('agrees with the reference on %i bytes', (length, digest) => {
      expect(write(bytes.subarray(0, length), false)).toBe(toTag(Buffer.from(digest, 'hex')));
    });

    it('reads a view, not the buffer under it', () => {
      for (let offset = 0; offset < 70; offset++) {
        const view = bytes.subarray(offset, offset + 700);
        expect(write(view, false)).toBe(tagOf(Buffer.from(view)));
      }
    });

    it('has a weak form', () => {
      expect(write('page', true)).toBe(`W/${write('page', false)}`);
    });

    it('reads shared memory and arrays without a buffer of their own yet', () => {
      const shared = new Uint8Array(new SharedArrayBuffer(300), 7, 290).fill(9);
      expect(write(shared, false)).toBe(tagOf(Buffer.alloc(290, 9)));
      expect(write(Uint8Array.of(1, 2, 3), false)).toBe(tagOf(Buffer.of(1, 2, 3)));
    });

    it('takes a detached array for an empty one', () => {
      const array = new Uint8Array(10);
      structuredClone(array, { transfer: [array.buffer] });
      expect(write(array, false)).toBe(write('', false));
    });

    const text = 'A page of 64 characters, more or less, to be repeated many times';
    it.each([
      ['ASCII', text],
      ['Latin-1', `${text} Ünïcödé ©`],
      ['the basic plane', `${text} Ελληνικά 漢字 €`],
      ['astral planes', `${text} 🌍𝒳`],
      ['a lone high surrogate', `${text}\ud83c`],
      ['a lone low surrogate', `\udf0d${text}`],
      ['surrogates in the wrong order', `a\udf0d\ud83cb\ud83c\ud83c\udf0d`],
      ['one character', 'é'],
      ['a null', 'a\0b'],
    ])('takes a string for its UTF-8 bytes: %s', (_, unit) => {
      for (const times of [1, 7, 33, 600, 2100, 9000]) {
        const whole = unit.repeat(times);
        const expected = tagOf(Buffer.from(whole));
        expect(write(whole, false)).toBe(expected);
        // A string that V8 holds as a tree, and one that is a part of another.
        expect(write(`${whole.slice(0, 40)}${whole.slice(40)}`, false)).toBe(expected);
        expect(write(`..${whole}`.slice(2), false)).toBe(expected);
      }
    });

    it('reads strings that outgrow every kept buffer, at each position of a wide character', () => {
      for (let before = 0; before < 8; before++) {
        const whole = `${'x'.repeat(126_970 + before)}🌍${'é'.repeat(130_000)}`;
        expect(write(whole, false)).toBe(tagOf(Buffer.from(whole)));
      }
    });
  });
}

describe('the twin', () => {
  it('tags 64 MiB in 128 KiB of its own', async () => {
    const { createWebAssemblyWriter } = await import('../src/xxh3-webassembly.ts');
    const { WebAssembly } = globalThis as unknown as {
      WebAssembly: { Instance: new (...args: unknown[]) => { exports: Record<string, unknown> } };
    };
    const Original = WebAssembly.Instance;
    let memory: { buffer: ArrayBuffer } | undefined;
    WebAssembly.Instance = function (...args: unknown[]) {
      const instance = new Original(...args);
      memory = instance.exports['memory'] as { buffer: ArrayBuffer };
      return instance;
    } as unknown as typeof Original;
    const write = createWebAssemblyWriter();
    WebAssembly.Instance = Original;

    const bytes = Buffer.alloc(64 * 2 ** 20, referenceBytes(4099));
    expect(write(bytes, false)).toBe(tagOf(bytes));
    expect(write(bytes.toString('latin1'), false)).toBe(
      tagOf(Buffer.from(bytes.toString('latin1'))),
    );
    expect(memory?.buffer.byteLength).toBe(128 * 1024);
  });
});

describe('the entry in plain JavaScript', () => {
  it.each([undefined, {}, { weak: true }])('writes the same tags with %j', (options) => {
    for (const body of ['', 'page', 'é'.repeat(200), referenceBytes(4099)]) {
      expect(entityTagOfScript(body, options)).toBe(entityTag(body, options));
    }
  });
});

describe('entityTag', () => {
  it('is strong unless asked', () => {
    expect(entityTag('page')).toMatch(/^"[\w-]{11}"$/);
    expect(entityTag('page', {})).toBe(entityTag('page'));
    expect(entityTag('page', { weak: false })).toBe(entityTag('page'));
    expect(entityTag('page', { weak: true })).toBe(`W/${entityTag('page')}`);
  });

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    [5, 'number 5'],
    [{}, 'an instance of Object'],
    [new Uint16Array(2), 'an instance of Uint16Array'],
    [new DataView(new ArrayBuffer(2)), 'an instance of DataView'],
    [new ArrayBuffer(2), 'an instance of ArrayBuffer'],
    [() => 1, 'a function'],
    [1n, 'bigint 1'],
    [true, 'boolean true'],
    [Symbol('s'), 'a symbol'],
  ])('refuses the body %s', (body, received) => {
    expect(() => entityTag(body as never)).toThrow(
      expect.objectContaining({
        name: 'TypeError',
        code: 'ERR_ETAG_BODY',
        message: `body must be a Uint8Array or a string; received ${received}.`,
      }),
    );
  });

  it.each([null, true, 'weak', { weak: 'yes' }, { weak: 1 }])('refuses options %j', (options) => {
    expect(() => entityTag('', options as never)).toThrow(
      expect.objectContaining({ name: 'TypeError', code: 'ERR_ETAG_OPTIONS' }),
    );
  });
});
