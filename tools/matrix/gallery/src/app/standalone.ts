import { type ApplicationConfig, Component } from '@angular/core';
import { provideRouter, RouterLink, RouterOutlet } from '@angular/router';
import { providers } from './providers';
import { routes } from './routes';

@Component({
  selector: 'app-root',
  imports: [RouterLink, RouterOutlet],
  templateUrl: './shell.html',
})
export class App {}

export const config: ApplicationConfig = { providers: [...providers, provideRouter(routes)] };
