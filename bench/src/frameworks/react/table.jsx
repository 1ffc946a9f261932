function Entry({ entry }) {
  return (
    <tr>
      <td>{entry.id}</td>
      <td>{entry.name}</td>
    </tr>
  );
}

export function Table({ rows }) {
  return (
    <table>
      <tbody>
        {rows.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </tbody>
    </table>
  );
}
