export * from '@ng-ssr/core/prometheus';
