export function Spiral({ tiles }) {
  return (
    <div id="wrapper">
      {tiles.map(({ x, y }, index) => (
        <div
          key={index}
          className="tile"
          style={{ left: `${x.toFixed(2)}px`, top: `${y.toFixed(2)}px` }}
        />
      ))}
    </div>
  );
}
