import { NgModule } from '@angular/core';
import { RouterModule, type Routes } from '@angular/router';
import { Catalog } from './catalog';
import { Product } from './product';

const routes: Routes = [
  { path: '', component: Catalog },
  { path: ':id', component: Product },
];

@NgModule({
  declarations: [Catalog, Product],
  imports: [RouterModule.forChild(routes)],
})
export class CatalogModule {}
