import { SsrError, type SsrErrorCode } from '../errors.ts';
import { shownUrl } from './shown-url.ts';

/** The parts of a call that messages name. */
interface NamedCall {
  readonly method: string;
  readonly url: URL;
  /** Method and target of the page. */
  readonly page: string;
}

/** @param happened - The rest of the sentence: `took longer than 800 ms`. */
export function callError(
  code: Extract<SsrErrorCode, `NG_SSR_CALL_${string}`>,
  { method, url, page }: NamedCall,
  happened: string,
  options?: ErrorOptions,
): SsrError {
  return new SsrError(code, `${method} ${shownUrl(url)}, called by ${page}, ${happened}`, options);
}
