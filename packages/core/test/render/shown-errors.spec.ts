import { describe, expect, it } from 'vitest';
import { storedServer } from '../pages/stored-server.ts';
import { startProgram } from '../features/render-threads/program.ts';

function raise(): never {
  throw new Error('a getter of its own');
}

/** What HttpClient throws, which is no Error. */
const httpError = {
  name: 'HttpErrorResponse',
  status: 503,
  message: 'Http failure response for https://api.example/reviews: 503 Service Unavailable',
  url: 'https://api.example/reviews',
};

describe('a 500 of development', () => {
  it.each([
    ['an Error', new RangeError('too far'), 'RangeError: too far'],
    ['an HttpErrorResponse', httpError, `HttpErrorResponse: ${httpError.message}`],
    ['a plain object', { reason: 'sold out', items: [1, 2] }, "reason: 'sold out'"],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), 'a: 1'],
    ['a string', 'just text', 'GET /p failed: just text'],
    ['undefined', undefined, 'GET /p failed'],
    ['null', null, 'GET /p failed: null'],
    ['a symbol', Symbol('odd'), 'Symbol(odd)'],
    [
      'an error whose getters throw',
      Object.defineProperties(new Error('hidden'), {
        stack: { get: raise },
        message: { get: raise },
      }),
      '500 Internal Server Error',
    ],
    [
      'an object whose getters throw',
      {
        ok: 1,
        get message(): string {
          return raise();
        },
      },
      'ok: 1',
    ],
    [
      'an object that cannot be shown',
      { [Symbol.for('nodejs.util.inspect.custom')]: raise, toString: raise },
      'a value that cannot be shown as text',
    ],
  ])('shows %s', async (_name, thrown, shown) => {
    const server = storedServer(() => Promise.reject(thrown as Error), { errorDetails: true });
    const { status, text } = await server.get('/p');
    expect(status).toBe(500);
    expect(text).toContain(shown);
    expect(text).not.toContain('[object Object]');
    expect(server.errors).toHaveLength(1);
  });

  it.each([
    [undefined, /^((?!failOnError).)*$/s],
    [true, /failOnError is true: every error of a page is a 500/],
    [false, /^((?!failOnError).)*$/s],
  ])('explains which errors are a 500 with failOnError: %s', async (failOnError, said) => {
    // Without a stack, which names the lines above.
    const fail = (): Promise<never> => Promise.reject('no page' as unknown as Error);
    const engine = Object.assign(fail, { failOnError });
    const { get } = storedServer(engine, { engine, errorDetails: true });
    expect((await get('/p')).text).toMatch(said);
  });

  it('says what to do about a global of browsers, as does the report', async () => {
    const page = () => Promise.reject(new ReferenceError('localStorage is not defined'));
    const advice =
      'A server has no localStorage: use it in afterNextRender(), or only where isPlatformBrowser(inject(PLATFORM_ID)) is true';
    const { get, errors } = storedServer(page, { errorDetails: true });
    expect((await get('/p')).text).toContain(`\n\n${advice}\n\n`);
    expect(errors.map(({ message }) => message)).toEqual([`GET /p failed. ${advice}`]);
  });

  it('says so about what Angular does not implement, as does the report', async () => {
    const page = () => Promise.reject(new Error('NotYetImplemented'));
    const { get, errors } = storedServer(page, { errorDetails: true });
    const advice =
      /Angular's server DOM lacks .* document\.cookie, .*: use it in afterNextRender\(\), or only/;
    expect((await get('/p')).text).toMatch(advice);
    expect(errors[0]!.message).toMatch(advice);
  });

  it.each([
    new ReferenceError('shop is not defined'),
    new ReferenceError("Cannot access 'window' before initialization"),
    new Error('window is not defined'),
    { name: 'ReferenceError', message: 'window is not defined' },
  ])('has no such advice for other errors: %s', async (thrown) => {
    const server = storedServer(() => Promise.reject(thrown as Error), { errorDetails: true });
    expect((await server.get('/p')).text).not.toContain('afterNextRender');
    expect(server.errors.map(({ message }) => message)).toEqual(['GET /p failed']);
  });

  it.each([0, 1])(
    'shows what is no error with %i threads',
    async (threads) => {
      const { get } = await startProgram({ renderThreads: { threads }, errorDetails: true });
      const text = await (await get('/throws-object')).text();
      expect(text).toContain("reason: 'sold out'");
    },
    60_000,
  );
});
