import { Component } from '@angular/core';

@Component({ selector: 'app-cart', template: '' })
export class Cart {}
