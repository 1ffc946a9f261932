import { Component, NgModule, provideZoneChangeDetection } from '@angular/core';
import { BrowserModule } from '@angular/platform-browser';
import { RouterModule } from '@angular/router';
import { providers } from './providers';
import { routes } from './routes';

@Component({ selector: 'app-root', standalone: false, templateUrl: './shell.html' })
export class App {}

@NgModule({
  declarations: [App],
  imports: [BrowserModule, RouterModule.forRoot(routes)],
  providers: [...providers, provideZoneChangeDetection({ eventCoalescing: true })],
  bootstrap: [App],
})
export class AppModule {}
