/** An attribute that both CommonEngine and the app engine write into pages of routes with RenderMode.Prerender. */
export const PRERENDERED_MARKER = 'ng-server-context="ssg"';
