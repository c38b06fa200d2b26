import type { AnnotationKind } from '#plugins/annotate';

const paths: Readonly<Record<AnnotationKind, string>> = {
  CORDINATES: 'M10 2.5v15M2.5 10h15M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7Z',
  TEMPERATURE: 'M8 11.5V4.5a2 2 0 1 1 4 0v7a3.5 3.5 0 1 1-4 0ZM10 8v6',
  DISTANCE: 'M3 6v8M17 6v8M3 10h14M6 7.5 3.5 10 6 12.5M14 7.5l2.5 2.5-2.5 2.5',
  TEXT_LABEL: 'M4 4.5h12M10 4.5v11M7.5 15.5h5',
  ARROW: 'M4 16 16 4M9 4h7v7',
  RECTANGLE: 'M3 5h14v10H3z',
  ELLIPSE: 'M10 4.5c4 0 7 2.5 7 5.5s-3 5.5-7 5.5-7-2.5-7-5.5 3-5.5 7-5.5Z',
};

export function AnnotationIcon({ kind }: { readonly kind?: AnnotationKind | undefined }) {
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
      <path d={kind ? paths[kind] : 'M3.5 16.5l1-4L13.5 3.5l3 3-9 9zM11.5 5.5l3 3'} />
    </svg>
  );
}
