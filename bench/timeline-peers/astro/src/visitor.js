import { setTimeout as wait } from 'node:timers/promises';

export async function readVisitor() {
  await wait(Number(process.env.FILL_MS));
  return { name: 'Ada', count: 3, recommendations: ['Mug', 'Bowl', 'Plate', 'Jar'] };
}
