import { NgModule } from '@angular/core';
import { RouterModule, type Routes } from '@angular/router';
import { Home } from './home';

const routes: Routes = [
  { path: '', component: Home },
  {
    path: 'catalog',
    loadChildren: () => import('./catalog/catalog-module').then((m) => m.CatalogModule),
  },
];

@NgModule({
  imports: [RouterModule.forRoot(routes)],
  exports: [RouterModule],
})
export class AppRoutingModule {}
