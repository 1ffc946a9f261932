import { afterNextRender, Component, inject } from '@angular/core';
import { MatToolbar } from '@angular/material/toolbar';
import { RouterLink, RouterLinkActive, RouterOutlet } from '@angular/router';
import { PUBLIC_CONFIG } from '@ng-ssr/angular';
import { BasketStore } from './shared/basket-store';

@Component({
  selector: 'app-root',
  imports: [MatToolbar, RouterLink, RouterLinkActive, RouterOutlet],
  templateUrl: './app.html',
  styleUrl: './app.scss',
})
export class App {
  protected readonly basket = inject(BasketStore);
  protected readonly contact = inject(PUBLIC_CONFIG).contact;

  constructor() {
    afterNextRender(() => this.basket.restore());
  }

  protected skip(event: Event, main: HTMLElement): void {
    event.preventDefault();
    main.focus();
  }
}
