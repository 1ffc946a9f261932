/** Reports and the parity comparison, without vitest. */
export {
  formatResult,
  readResults,
  RESULTS_FOLDER_VARIABLE,
  writeResult,
  type Outcome,
  type SuiteResult,
} from './results.ts';
export { KNOWN_DIFFERENCES, type KnownDifference } from './known-differences.ts';
export {
  compareResults,
  formatParityReport,
  type ParityReport,
  type ParityResult,
} from './parity.ts';
export {
  compareTranscripts,
  recordResponse,
  type ParityDifference,
  type RecordedResponse,
  type Transcript,
} from './transcript.ts';
export {
  WIRE_FOLDER_VARIABLE,
  type WireRecord,
  type WireResponse,
  type WireTurn,
} from './wire-log.ts';
