export * from '@ng-ssr/core/opentelemetry';
