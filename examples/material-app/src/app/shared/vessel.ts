import { Component, computed, inject, input, ViewEncapsulation } from '@angular/core';
import { Catalogue } from '../data/catalogue';
import type { Product } from '../data/products';
import { vesselShape } from './vessel-shape';

/** A drawing of one piece, thrown from its data. Decorative: the name always stands beside it. */
@Component({
  selector: 'app-vessel',
  // Dozens of drawings on one page: unscoped styles keep them small.
  encapsulation: ViewEncapsulation.None,
  template: `
    <svg viewBox="10 16 180 180" aria-hidden="true" focusable="false">
      <defs>
        <clipPath [attr.id]="id('b')"><path [attr.d]="shape().body" /></clipPath>
        @if (flat()) {
          <radialGradient [attr.id]="id('s')" cx=".4" cy=".35" r=".75">
            <stop offset="0" stop-color="#fff" stop-opacity=".22" />
            <stop offset=".6" stop-color="#fff" stop-opacity="0" />
            <stop offset="1" stop-color="#1a0d05" stop-opacity=".34" />
          </radialGradient>
        } @else {
          <linearGradient [attr.id]="id('s')">
            <stop offset="0" stop-color="#1a0d05" stop-opacity=".3" />
            <stop offset=".2" stop-color="#fff" stop-opacity=".16" />
            <stop offset=".5" stop-color="#fff" stop-opacity="0" />
            <stop offset="1" stop-color="#1a0d05" stop-opacity=".5" />
          </linearGradient>
        }
      </defs>
      <ellipse
        class="shadow"
        [attr.cx]="shape().shadow.cx"
        [attr.cy]="shape().shadow.cy"
        [attr.rx]="shape().shadow.rx"
        [attr.ry]="shape().shadow.ry"
      />
      @if (shape().saucer; as saucer) {
        <ellipse
          [attr.cx]="saucer.cx"
          [attr.cy]="saucer.cy"
          [attr.rx]="saucer.rx"
          [attr.ry]="saucer.ry"
          [attr.fill]="glaze()"
        />
        <ellipse
          class="dark"
          [attr.cx]="saucer.cx"
          [attr.cy]="saucer.cy - 2"
          [attr.rx]="saucer.rx - 4"
          [attr.ry]="saucer.ry - 2.5"
        />
      }
      @if (shape().handle; as handle) {
        <path class="handle" [attr.d]="handle" [attr.stroke]="glaze()" />
        <path class="handle shade" [attr.d]="handle" />
      }
      @if (shape().spout; as spout) {
        <path [attr.d]="spout" [attr.fill]="top()" />
        <path class="dark" [attr.d]="spout" />
      }
      <g [attr.clip-path]="url('b')">
        <path [attr.d]="shape().body" [attr.fill]="product().clay" />
        <path [attr.d]="shape().glaze" [attr.fill]="glaze()" />
        @if (shape().dip; as dip) {
          <path class="dip" [attr.d]="dip" [attr.fill]="top()" />
        }
        <path class="speckles" [attr.d]="shape().speckles" />
        <path class="rings" [attr.d]="shape().rings" />
        <path [attr.d]="shape().body" [attr.fill]="url('s')" />
        <path class="highlight" [attr.d]="shape().highlight" />
      </g>
      @if (shape().rim; as rim) {
        <ellipse
          [attr.cx]="rim.cx"
          [attr.cy]="rim.cy"
          [attr.rx]="rim.rx"
          [attr.ry]="rim.ry"
          [attr.fill]="top()"
        />
        <ellipse
          class="inside"
          [attr.cx]="rim.cx"
          [attr.cy]="rim.cy + 0.4"
          [attr.rx]="rim.rx - 2"
          [attr.ry]="rim.ry - 1"
        />
      }
      @if (shape().lid; as lid) {
        <path [attr.d]="lid" [attr.fill]="top()" />
        <path class="lid-shade" [attr.d]="lid" [attr.fill]="url('s')" />
      }
      @if (shape().knob; as knob) {
        <circle [attr.cx]="knob.x" [attr.cy]="knob.y" [attr.r]="knob.r" [attr.fill]="top()" />
        <circle [attr.cx]="knob.x" [attr.cy]="knob.y" [attr.r]="knob.r" [attr.fill]="url('s')" />
      }
    </svg>
  `,
  styles: `
    app-vessel,
    app-vessel svg {
      display: block;
      width: 100%;
    }
    app-vessel svg {
      overflow: visible;
    }
    app-vessel .shadow {
      fill: #1a0d05;
      opacity: 0.16;
    }
    app-vessel .handle {
      fill: none;
      stroke-width: 9;
      stroke-linecap: round;
    }
    app-vessel .handle.shade {
      stroke: #1a0d05;
      stroke-opacity: 0.22;
      stroke-width: 9;
    }
    app-vessel .dark {
      fill: #1a0d05;
      opacity: 0.18;
    }
    app-vessel .dip {
      stroke: #1a0d05;
      stroke-opacity: 0.16;
      stroke-width: 1.2;
    }
    app-vessel .speckles {
      fill: none;
      stroke: #3d2413;
      stroke-opacity: 0.3;
      stroke-width: 1.1;
      stroke-linecap: round;
    }
    app-vessel .rings {
      fill: none;
      stroke: #1a0d05;
      stroke-opacity: 0.05;
      stroke-width: 1.4;
    }
    app-vessel .highlight {
      fill: none;
      stroke: #fff;
      stroke-opacity: 0.3;
      stroke-width: 5;
      stroke-linecap: round;
    }
    app-vessel .inside {
      fill: #1a0d05;
      opacity: 0.5;
    }
  `,
})
export class Vessel {
  readonly product = input.required<Product>();

  private readonly catalogue = inject(Catalogue);
  protected readonly shape = computed(() => vesselShape(this.product()));
  protected readonly flat = computed(() => this.product().form === 'plate');
  protected readonly glaze = computed(() => this.color(this.product().glaze));
  protected readonly top = computed(() => this.color(this.product().dip ?? this.product().glaze));

  protected id(part: string): string {
    return `v${this.product().id}${part}`;
  }

  protected url(part: string): string {
    return `url(#${this.id(part)})`;
  }

  private color(glaze: string): string {
    return this.catalogue.glaze(glaze)?.color ?? this.product().clay;
  }
}
