import { HttpClient } from '@angular/common/http';
import { Component, inject } from '@angular/core';

@Component({
  selector: 'app-root',
  standalone: false,
  templateUrl: './app.html',
})
export class App {
  protected readonly config$ = inject(HttpClient).get<{ slogan: string }>('assets/config.json');
}
