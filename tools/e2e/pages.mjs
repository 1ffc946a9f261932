import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const HOME = `import { Component } from '@angular/core';

@Component({ selector: 'app-home', template: '<h1>Home one</h1>' })
export class Home {}
`;

const HOME_SPEC = `import { TestBed } from '@angular/core/testing';
import { Home } from './home';

describe('Home', () => {
  it('should render the heading', async () => {
    const fixture = TestBed.createComponent(Home);
    await fixture.whenStable();
    expect((fixture.nativeElement as HTMLElement).textContent).toContain('Home');
  });
});
`;

const ITEM = `import { Component, inject } from '@angular/core';
import { ActivatedRoute } from '@angular/router';

@Component({ selector: 'app-item', template: '<h1>Item {{ id }}</h1>' })
export class Item {
  readonly id = inject(ActivatedRoute).snapshot.paramMap.get('id');
}
`;

const ITEM_SPEC = `import { TestBed } from '@angular/core/testing';
import { provideRouter } from '@angular/router';
import { RouterTestingHarness } from '@angular/router/testing';
import { routes } from './app.routes';
import { Item } from './item';

describe('Item', () => {
  it('should render the id of its path', async () => {
    TestBed.configureTestingModule({ providers: [provideRouter(routes)] });
    const harness = await RouterTestingHarness.create();
    const item = await harness.navigateByUrl('/item/7', Item);
    expect(item.id).toBe('7');
    expect(harness.routeNativeElement?.textContent).toContain('Item 7');
  });
});
`;

const ROUTES = `import { Routes } from '@angular/router';
import { Home } from './home';
import { Item } from './item';

export const routes: Routes = [
  { path: '', component: Home },
  { path: 'item/:id', component: Item },
];
`;

/** Two pages below the stock component: `/` is prerendered; `/item/7` cannot be, and is rendered. */
export function writePages(workspace) {
  const files = {
    'home.ts': HOME,
    'home.spec.ts': HOME_SPEC,
    'item.ts': ITEM,
    'item.spec.ts': ITEM_SPEC,
    'app.routes.ts': ROUTES,
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(workspace, 'src/app', name), text);
  }
}
