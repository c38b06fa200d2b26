/** Illustration of an open pipe end next to an empty sign. */
export function NotFoundPicture() {
  return (
    <svg
      viewBox="0 0 160 120"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d="M12 104h136" opacity=".35" />
      <path
        d="M12 82h40a16 16 0 0 0 16-16V48H50v14a4 4 0 0 1-4 4H12z"
        fill="currentColor"
        opacity=".08"
        stroke="none"
      />
      <path d="M12 82h38a18 18 0 0 0 18-18V48M12 66h34a4 4 0 0 0 4-4V48" />
      <rect x="45" y="38" width="28" height="10" rx="2" />
      <path d="M52 30c0-4 4-4 4-8M60 32c0-5 4-5 4-10" opacity=".45" />
      <path d="M112 104V24" strokeWidth="3" />
      <path d="M94 30h36l10 9-10 9H94z" fill="var(--colorNeutralBackground1)" />
      <path d="M130 58H98l-9 8 9 8h32z" fill="var(--colorNeutralBackground1)" opacity=".7" />
      <path d="M103 39h18" opacity=".6" />
    </svg>
  );
}
