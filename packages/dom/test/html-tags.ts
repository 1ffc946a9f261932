/** Tags of HTML, known and unknown, old and new. */
export const TAGS: readonly string[] = `
  a app-root area audio base blockquote body br button canvas caption col data datalist del
  details dialog dir div dl embed fieldset font form frame frameset h1 head hr html iframe img
  input ins keygen label legend li link main map menu menuitem meta meter object ol optgroup
  option output p param pre progress q script select source span style table tbody td template
  textarea tfoot th thead time title tr track ul video x-unknown
`
  .trim()
  .split(/\s+/);
