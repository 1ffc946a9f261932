import { describe, expect, it } from 'vitest';
import { appEngine } from '../src/index.ts';
import { createAppEngine } from './fixture/built-app.ts';

describe('appEngine outside an Angular build', () => {
  it('says what to do', () => {
    const error = expect.objectContaining({
      code: 'NG_SSR_ENGINE_NOT_BUILT',
      message: expect.stringContaining('"outputMode": "server"'),
    });
    expect(() => createAppEngine()).toThrow(error);
    expect(() => appEngine().allowedHosts?.()).toThrow(error);
  });
});
