/** Partial prerendering: what needs the visitor is rendered per request, behind the static part of the page. */
export default { cacheComponents: true, partialPrefetching: true };
