import { Component } from '@angular/core';

@Component({ selector: 'app-catalog', standalone: false, template: `<h1>Catalog</h1>` })
export class Catalog {}
