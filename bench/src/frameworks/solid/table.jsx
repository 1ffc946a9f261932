import { For } from 'solid-js';

function Entry(props) {
  return (
    <tr>
      <td>{props.entry.id}</td>
      <td>{props.entry.name}</td>
    </tr>
  );
}

export function Table(props) {
  return (
    <table>
      <tbody>
        <For each={props.rows}>{(entry) => <Entry entry={entry} />}</For>
      </tbody>
    </table>
  );
}
