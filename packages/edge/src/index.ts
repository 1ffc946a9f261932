export { cloudflareEdge, type CloudflareEdgeOptions } from './cloudflare-edge.ts';
export type { EdgeOptions } from './edge-options.ts';
export { fastlyEdge, type FastlyEdgeOptions } from './fastly-edge.ts';
export { netlifyEdge, type NetlifyEdgeOptions } from './netlify-edge.ts';
export { varnishEdge, type VarnishEdgeOptions } from './varnish-edge.ts';
