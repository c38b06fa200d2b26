/** Illustration of two separated flanges. */
export function FailedPicture() {
  return (
    <svg
      viewBox="0 0 160 120"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d="M8 48h44v28H8zM108 54h44v28h-44z" fill="currentColor" opacity=".08" stroke="none" />
      <path d="M8 48h44M8 76h44M108 54h44M108 82h44" />
      <rect x="52" y="36" width="10" height="52" rx="2" transform="rotate(-4 57 62)" />
      <rect x="98" y="42" width="10" height="52" rx="2" transform="rotate(7 103 68)" />
      <path d="M50 44h-6M50 80h-6M110 50h6M111 86h6" opacity=".6" />
      <path d="M72 58l6 4M72 68h8M74 78l6-3" opacity=".45" />
      <path d="M80 20v14M66 26l6 9M94 26l-6 9" />
      <path d="M24 104h112" opacity=".35" />
      <path
        d="M78 92c0 4-2 6-2 8a4 4 0 0 0 8 0c0-2-2-4-2-8-1-2-3-2-4 0Z"
        fill="currentColor"
        opacity=".3"
        stroke="none"
      />
    </svg>
  );
}
