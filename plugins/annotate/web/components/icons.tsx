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

export const UndoIcon = () => (
  <Icon>
    <path d="M7 4 3.5 7.5 7 11M3.5 7.5H12a4.5 4.5 0 0 1 0 9H8" />
  </Icon>
);
export const CloseIcon = () => (
  <Icon>
    <path d="m5 5 10 10M15 5 5 15" />
  </Icon>
);
export const ListIcon = () => (
  <Icon>
    <path d="M8 5h9M8 10h9M8 15h9M3.5 5h.5M3.5 10h.5M3.5 15h.5" />
  </Icon>
);
export const SnapIcon = () => (
  <Icon>
    <path d="M5 3.5v6.5a5 5 0 0 0 10 0V3.5h-3.2V10a1.8 1.8 0 0 1-3.6 0V3.5ZM5 7h3.2M11.8 7H15" />
  </Icon>
);
export const RenameIcon = () => (
  <Icon>
    <path d="m4 16 .8-3.5L13 4.3a1.6 1.6 0 0 1 2.3 0l.4.4a1.6 1.6 0 0 1 0 2.3l-8.2 8.2Z" />
    <path d="m11.5 5.8 2.7 2.7" />
  </Icon>
);
export const CopyIcon = () => (
  <Icon>
    <rect x="7" y="7" width="9.5" height="9.5" rx="1.5" />
    <path d="M13 7V5a1.5 1.5 0 0 0-1.5-1.5H5A1.5 1.5 0 0 0 3.5 5v6.5A1.5 1.5 0 0 0 5 13h2" />
  </Icon>
);
export const LinkIcon = () => (
  <Icon>
    <path d="M8 12a3 3 0 0 1 0-4l2.5-2.5a3 3 0 0 1 4 4L13 11M12 8a3 3 0 0 1 0 4l-2.5 2.5a3 3 0 0 1-4-4L7 9" />
  </Icon>
);
export const DeleteIcon = () => (
  <Icon>
    <path d="M3.5 5.5h13M8 5.5V4a1 1 0 0 1 1-1h2a1 1 0 0 1 1 1v1.5M5.5 5.5l.7 10a1.5 1.5 0 0 0 1.5 1.5h4.6a1.5 1.5 0 0 0 1.5-1.5l.7-10M8.5 9v5M11.5 9v5" />
  </Icon>
);
export const DoneIcon = () => (
  <Icon>
    <path d="m4.5 10.5 3.7 3.7L15.5 6" />
  </Icon>
);
export const CommentIcon = () => (
  <Icon>
    <path d="M3.5 4.5h13v9.5H10l-3.5 3v-3h-3Z" />
  </Icon>
);
