import { Suspense } from 'react';
import { Clicks } from './clicks.jsx';
import { readVisitor } from './visitor.js';

const PARAGRAPHS = Array.from({ length: 60 }, (_, at) => at);

function Cart({ name, count }) {
  return (
    <>
      <a href="/cart">
        Cart: <b id="count">{count}</b>
      </a>
      <span id="who">{name ? `Hello ${name}` : 'Sign in'}</span>
    </>
  );
}

async function OwnCart() {
  return <Cart {...await readVisitor()} />;
}

async function Recommendations() {
  const { recommendations } = await readVisitor();
  return recommendations.map((each) => <li key={each}>{each}</li>);
}

export default function Page() {
  return (
    <>
      <header>
        <Suspense fallback={<Cart name="" count={0} />}>
          <OwnCart />
        </Suspense>
      </header>
      <h1>A cached page</h1>
      <Clicks />
      <section>
        <ul id="recommendations">
          <Suspense fallback={<li>Loading</li>}>
            <Recommendations />
          </Suspense>
        </ul>
      </section>
      {PARAGRAPHS.map((at) => (
        <p key={at}>
          Paragraph {at}. Lorem ipsum dolor sit amet, consetetur sadipscing elitr, sed diam nonumy
          eirmod tempor invidunt ut labore et dolore magna aliquyam erat, sed diam voluptua.
        </p>
      ))}
    </>
  );
}
