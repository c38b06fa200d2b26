import type { ReactNode } from 'react';

/** An outlined icon on a grid of 20 units, in the text colour. Its button has the accessible name. */
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

export const CorrectionIcon = ({ filled }: { readonly filled: boolean }) => (
  <Icon>
    <circle cx="10" cy="10" r="6.5" />
    <path d="M10 3.5a6.5 6.5 0 0 1 0 13Z" fill="currentColor" />
    {filled ? <circle cx="17" cy="3" r="1.5" fill="currentColor" /> : null}
  </Icon>
);
export const BackIcon = () => (
  <Icon>
    <path d="M12.5 4 6.5 10l6 6" />
  </Icon>
);
export const SplitIcon = () => (
  <Icon>
    <rect x="2.5" y="4" width="15" height="12" rx="2" />
    <path d="M10 4v12" />
  </Icon>
);
export const ShareIcon = () => (
  <Icon>
    <path d="M8 12a3 3 0 0 1 0-4l2.5-2.5a3 3 0 0 1 4 4L13 11M12 8a3 3 0 0 1 0 4l-2.5 2.5a3 3 0 0 1-4-4L7 9" />
  </Icon>
);
export const NodeListIcon = () => (
  <Icon>
    <path d="M8 5h9M8 10h9M8 15h9" />
    <circle cx="4" cy="5" r="1" />
    <circle cx="4" cy="10" r="1" />
    <circle cx="4" cy="15" r="1" />
  </Icon>
);
export const FullscreenIcon = () => (
  <Icon>
    <path d="M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4" />
  </Icon>
);
export const LeaveFullscreenIcon = () => (
  <Icon>
    <path d="M7 3v4H3M17 7h-4V3M13 17v-4h4M3 13h4v4" />
  </Icon>
);
export const HideIcon = () => (
  <Icon>
    <path d="M3 10s2.5-5 7-5 7 5 7 5-2.5 5-7 5-7-5-7-5ZM4 16 16 4" />
  </Icon>
);
export const ShowIcon = () => (
  <Icon>
    <path d="M3 10s2.5-5 7-5 7 5 7 5-2.5 5-7 5-7-5-7-5Z" />
    <circle cx="10" cy="10" r="2" />
  </Icon>
);
export const MapIcon = () => (
  <Icon>
    <path d="m3 5 4.5-2 5 2L17 3v12l-4.5 2-5-2L3 17ZM7.5 3v12M12.5 5v12" />
  </Icon>
);
export const PlusIcon = () => (
  <Icon>
    <path d="M10 4v12M4 10h12" />
  </Icon>
);
export const MinusIcon = () => (
  <Icon>
    <path d="M4 10h12" />
  </Icon>
);
export const VisitedIcon = () => (
  <Icon>
    <path d="m5 10.5 3.5 3.5L15 6.5" />
  </Icon>
);
export const SearchIcon = () => (
  <Icon>
    <circle cx="9" cy="9" r="5" />
    <path d="m13 13 4 4" />
  </Icon>
);
export const NodeIcon = () => (
  <Icon>
    <path d="M10 17s5-4.7 5-8.5a5 5 0 0 0-10 0C5 12.3 10 17 10 17Z" />
    <circle cx="10" cy="8.5" r="1.8" />
  </Icon>
);
export const MoreIcon = () => (
  <Icon>
    <path d="M4.5 10h.01M10 10h.01M15.5 10h.01" strokeWidth="2.5" />
  </Icon>
);
