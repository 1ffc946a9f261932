import type { Representation } from '../../../answers/representation.ts';
import type { Resource } from '../../../answers/resource.ts';
import type { AgelessRepresentation } from '../../../pages/memory/aged-page.ts';
import type { Explanation } from '../protocol.ts';

type Form = Representation | AgelessRepresentation;

/** The representations of a page or file that are made so far. */
export function representationsOf(resource: Resource<Form>): Explanation['representations'] {
  const forms = [resource.identity, ...Object.values(resource.encoded)];
  return forms.map((form) => {
    const { body } = 'full' in form ? form.full : form;
    return { encoding: form.encoding, bytes: body?.byteLength ?? 0, etag: form.etag };
  });
}
