import { useEffect, useState } from 'react';
import { computePanoramaGrid } from './panorama-grid.ts';

const view = { width: 900, height: 900 };

/**
 * The default background, a panorama with meridians, parallels and a path of points. It is drawn after hydration to
 * keep the page small.
 */
export function BackgroundDrawing({ className }: { readonly className: string }) {
  const [grid, setGrid] = useState<ReturnType<typeof computePanoramaGrid>>();
  useEffect(() => setGrid(computePanoramaGrid({ ...view, pan: 24, tilt: -14, fov: 96 })), []);
  if (grid === undefined) return null;
  return (
    <svg
      className={className}
      viewBox={`0 0 ${view.width} ${view.height}`}
      preserveAspectRatio="xMidYMid slice"
      fill="none"
      stroke="currentColor"
      aria-hidden="true"
    >
      <path d={grid.lines} strokeWidth="1" opacity=".22" />
      <path d={grid.horizon} strokeWidth="1.5" opacity=".5" />
      <path d={grid.walk} strokeWidth="2" strokeDasharray="2 9" strokeLinecap="round" opacity=".8" />
      {grid.points.map(({ x, y, size }) => (
        <g key={`${x} ${y}`}>
          <circle cx={x} cy={y} r={size * 2.2} fill="currentColor" stroke="none" opacity=".14" />
          <circle cx={x} cy={y} r={size * 1.3} strokeWidth="1.5" opacity=".8" />
          <circle cx={x} cy={y} r={size * 0.6} fill="currentColor" stroke="none" />
        </g>
      ))}
    </svg>
  );
}
