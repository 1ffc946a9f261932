'use client';
import { useEffect, useState } from 'react';

export function Clicks() {
  const [clicks, setClicks] = useState(0);
  useEffect(() => void performance.mark('hydrated'), []);
  return (
    <button type="button" onClick={() => setClicks(clicks + 1)}>
      clicked {clicks}
    </button>
  );
}
