import type { ChaosContext, ChaosPlace } from './chaos.ts';
import type { Settings } from './redis-process.ts';
import { RedisSentinels } from './redis-sentinels.ts';

/** What happens to the primary. */
export type SentinelEvent = 'failover' | 'loss' | 'partition' | 'isolation';

/**
 * A primary with Sentinels for {@link Chaos}.
 *
 * @param settings - Further lines of redis.conf.
 */
export async function startChaosSentinels(settings?: Settings): Promise<ChaosPlace<SentinelEvent>> {
  const sentinels = await RedisSentinels.start(settings);
  const { name, nodes, client } = sentinels;
  return {
    options: { sentinel: { name, nodes, client } },
    cause: (event, _isFirst, context) => cause(sentinels, event, context),
    untilWhole: () => sentinels.untilReplicated(),
    stop: () => sentinels.stop(),
  };
}

async function cause(
  sentinels: RedisSentinels,
  event: SentinelEvent,
  { settle, tell }: ChaosContext,
): Promise<void> {
  const port = await sentinels.primaryPort();
  const primary = sentinels.processAt(port);
  tell(`${event} of ${port}`);
  if (event === 'failover') {
    await sentinels.failOver();
    await sentinels.untilReplaced(port);
  } else if (event === 'loss') {
    await primary.kill();
    await sentinels.untilReplaced(port);
    await settle();
    await primary.restart();
  } else if (event === 'isolation') {
    await sentinels.isolate(port);
    try {
      await sentinels.untilReplaced(port);
      await settle();
    } finally {
      await sentinels.join(port);
    }
  } else {
    primary.pause();
    try {
      await sentinels.untilReplaced(port);
      await settle();
    } finally {
      primary.resume();
    }
  }
}
