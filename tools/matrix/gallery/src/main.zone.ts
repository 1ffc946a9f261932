import { platformBrowser } from '@angular/platform-browser';
import { AppModule } from './app/modules';

platformBrowser()
  .bootstrapModule(AppModule)
  .catch((error: unknown) => console.error(error));
