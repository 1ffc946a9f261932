import { For } from 'solid-js';

export function Spiral(props) {
  return (
    <div id="wrapper">
      <For each={props.tiles}>
        {({ x, y }) => (
          <div class="tile" style={`left: ${x.toFixed(2)}px; top: ${y.toFixed(2)}px`} />
        )}
      </For>
    </div>
  );
}
