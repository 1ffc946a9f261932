export { lateCalls } from './late-calls.ts';
export { PUBLIC_CONFIG, providePublicConfig, type PublicConfig } from './public-config.ts';
export { isLostChunk } from './skew/lost-chunk.ts';
export type { Comparison } from './skew/build-comparison.ts';
export { SKEW, type Skew } from './skew/skew.ts';
export { type SkewRecoveryOptions, withSkewRecovery } from './skew/with-skew-recovery.ts';
export { slot, type SlotTypes } from './slot.ts';
export { slotResource } from './slot-resource.ts';
