import { expect } from 'vitest';
import { caseFile } from '../conformance-case.ts';
import { USER_HEADER } from '../slots-fixture.ts';
import { read } from './slots.ts';

/** Responses of the server's own routes that follow pages. */
export const lateCalls = caseFile({ file: 'late calls', profile: 'late calls' }, (add) => {
  add(
    'the response of a route follows the page of its client',
    async ({ get, engine, errors, isInOtherProcess }) => {
      const target = '/stored/slots/called';
      for (const name of ['ann', 'bob']) {
        const response = await get(target, { [USER_HEADER]: name });
        expect(read(response).slots).toEqual({ time: { now: expect.any(Number) as number } });
      }
      expect(read(await get(target)).slots).toEqual({});
      expect(engine.renders()).toBe(1);
      if (!isInOtherProcess) expect(errors).toEqual([]);
    },
    // The clock.
    { parity: false },
  );
});
