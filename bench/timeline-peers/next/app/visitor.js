import { cookies } from 'next/headers';
import { cache } from 'react';
import { setTimeout as wait } from 'node:timers/promises';

/** Once per request. */
export const readVisitor = cache(async () => {
  await cookies();
  await wait(Number(process.env.FILL_MS));
  return { name: 'Ada', count: 3, recommendations: ['Mug', 'Bowl', 'Plate', 'Jar'] };
});
