import type { ReactNode } from 'react';

function Icon({ children }: { readonly children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 20 20"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const PictureIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="7" />
    <path d="M3 10c4 3 10 3 14 0M10 3c-4 4-4 10 0 14M10 3c4 4 4 10 0 14" />
  </Icon>
);
export const CloudIcon = () => (
  <Icon>
    <path
      d="M4 14h.01M7 11h.01M10 15h.01M13 11h.01M16 14h.01M5 7h.01M9 7h.01M13 6h.01M16 9h.01M7 16.5h.01M13 16.5h.01M10 4h.01"
      strokeWidth="2.2"
    />
  </Icon>
);
export const AppearanceIcon = () => (
  <Icon>
    <path d="M3 6h7M14 6h3M3 14h3M10 14h7" />
    <circle cx="12" cy="6" r="2" />
    <circle cx="8" cy="14" r="2" />
  </Icon>
);
export const CloseIcon = () => (
  <Icon>
    <path d="m5 5 10 10M15 5 5 15" />
  </Icon>
);
