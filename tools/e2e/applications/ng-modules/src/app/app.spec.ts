import { HttpTestingController, provideHttpClientTesting } from '@angular/common/http/testing';
import { TestBed } from '@angular/core/testing';
import { App } from './app';
import { AppModule } from './app-module';

describe('App', () => {
  it('shows the slogan of the configuration', async () => {
    await TestBed.configureTestingModule({
      imports: [AppModule],
      providers: [provideHttpClientTesting()],
    }).compileComponents();
    const fixture = TestBed.createComponent(App);
    fixture.detectChanges();
    TestBed.inject(HttpTestingController)
      .expectOne('assets/config.json')
      .flush({ slogan: 'Spades' });
    fixture.detectChanges();
    expect(fixture.nativeElement.querySelector('#slogan').textContent).toBe('Spades');
  });
});
