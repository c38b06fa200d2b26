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

export const TreeIcon = () => (
  <Icon>
    <path d="M3 4h6M6 4v12M6 9h4M6 15h4M12.5 9H17M12.5 15H17" />
  </Icon>
);
export const WalkIcon = () => (
  <Icon>
    <circle cx="11" cy="3.5" r="1.6" />
    <path d="M10.5 7.5 8 10l-2 1M10.5 7.5l2 3 2.5 1M10.5 7.5 10 12l-3 5M10 12l3 5" />
  </Icon>
);
export const OrbitIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="2.4" />
    <ellipse cx="10" cy="10" rx="7.5" ry="3.6" transform="rotate(-25 10 10)" />
  </Icon>
);
export const FitIcon = () => (
  <Icon>
    <path d="M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4" />
    <rect x="7" y="7" width="6" height="6" rx="1" />
  </Icon>
);
export const XrayIcon = () => (
  <Icon>
    <path d="M10 2.5 16.5 6v8L10 17.5 3.5 14V6Z" strokeDasharray="2 2" />
    <circle cx="10" cy="10" r="2.4" fill="currentColor" />
  </Icon>
);
export const SectionIcon = () => (
  <Icon>
    <path d="M4 6.5 10 3l6 3.5v7L10 17l-6-3.5Z" />
    <path d="M2 12.5 18 7.5" />
  </Icon>
);
export const VisibleIcon = () => (
  <Icon>
    <path d="M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5Z" />
    <circle cx="10" cy="10" r="2.2" />
  </Icon>
);
export const HiddenIcon = () => (
  <Icon>
    <path d="M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5ZM4 16 16 4" />
  </Icon>
);
export const CloseIcon = () => (
  <Icon>
    <path d="m5 5 10 10M15 5 5 15" />
  </Icon>
);
export const OpenIcon = () => (
  <Icon>
    <path d="m7.5 5 5 5-5 5" />
  </Icon>
);
export const ParentIcon = () => (
  <Icon>
    <path d="M10 16V4M5 9l5-5 5 5" />
  </Icon>
);
export const ChildIcon = () => (
  <Icon>
    <path d="M10 4v12M5 11l5 5 5-5" />
  </Icon>
);
export const FlipIcon = () => (
  <Icon>
    <path d="M10 3v14M7 6 3 10l4 4M13 6l4 4-4 4" />
  </Icon>
);
