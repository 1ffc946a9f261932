/** Reports and the parity comparison, without vitest. */
export {
  formatResult,
  formatResultTable,
  readResults,
  RESULTS_FOLDER_VARIABLE,
  writeResult,
  type Outcome,
  type SuiteResult,
} from './results.ts';
export {
  compareTranscripts,
  recordResponse,
  type ParityDifference,
  type RecordedResponse,
  type Transcript,
} from './transcript.ts';
