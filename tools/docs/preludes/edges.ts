export { cloudflareEdge, fastlyEdge, netlifyEdge, varnishEdge } from '@ng-ssr/edge';
