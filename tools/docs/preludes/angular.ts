import { HttpClient } from '@angular/common/http';
import { inject, signal } from '@angular/core';
import { SKEW } from '@ng-ssr/angular';

export { DOCUMENT } from '@angular/common';
export { HttpErrorResponse, provideHttpClient, withInterceptors } from '@angular/common/http';
export { inject, Injectable, resource, RESPONSE_INIT } from '@angular/core';
export { rxResource } from '@angular/core/rxjs-interop';
export { TestBed } from '@angular/core/testing';
export { provideRouter } from '@angular/router';
export {
  isLostChunk,
  lateCalls,
  providePublicConfig,
  PUBLIC_CONFIG,
  SKEW,
  slot,
  slotResource,
  withSkewRecovery,
} from '@ng-ssr/angular';
export { catchError, of, throwError } from 'rxjs';

/** A component or service of the shop. */
export class Component {
  readonly http = inject(HttpClient);
  readonly skew = inject(SKEW);
  readonly id = signal('3');
}
