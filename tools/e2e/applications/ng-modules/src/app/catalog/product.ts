import { Component, inject } from '@angular/core';
import { ActivatedRoute } from '@angular/router';

@Component({
  selector: 'app-product',
  standalone: false,
  template: `
    <h1>Product {{ id }}</h1>
    <button (click)="count = count + 1">{{ count }} ordered</button>
  `,
})
export class Product {
  protected readonly id = inject(ActivatedRoute).snapshot.paramMap.get('id');
  protected count = 0;
}
