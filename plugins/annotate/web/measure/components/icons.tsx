import type { MeasurementKind } from '#plugins/annotate';

const paths: Readonly<Record<MeasurementKind, string>> = {
  DISTANCE: 'M3 14 14 3l3 3L6 17zM6.5 10.5 8 12M9 8l2 2M11.5 5.5 13 7',
  ANGLE: 'M16.5 16.5h-13L13 4M10 16.5a6.5 6.5 0 0 0-2.4-5',
  CORDINATES: 'M10 2.5v15M2.5 10h15M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7Z',
  DIAMETER: 'M10 3.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM5 15 15 5',
  HEIGHT: 'M4 3.5h12M4 16.5h12M10 6v8M7.5 8 10 5.5 12.5 8M7.5 12l2.5 2.5 2.5-2.5',
  AREA: 'M4 5.5 14.5 3.5l2 9-8 4-5.5-5z',
};

export function KindIcon({ kind }: { readonly kind: MeasurementKind }) {
  return (
    <svg
      viewBox="0 0 20 20"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinejoin="round"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d={paths[kind]} />
    </svg>
  );
}
