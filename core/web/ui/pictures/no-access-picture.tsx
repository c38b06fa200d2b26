/** Illustration of a locked gate in a handrail. */
export function NoAccessPicture() {
  return (
    <svg
      viewBox="0 0 160 120"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d="M8 104h144" opacity=".35" />
      <path d="M44 40h72v56H44z" fill="currentColor" opacity=".06" stroke="none" />
      <path d="M8 40h28M8 68h28M124 40h28M124 68h28" opacity=".6" />
      <path d="M36 30v74M124 30v74" strokeWidth="4" />
      <path d="M44 40h72v56H44zM44 68h14M102 68h14M62 40v56M98 40v56" />
      <rect x="66" y="60" width="28" height="24" rx="4" fill="var(--colorNeutralBackground1)" />
      <path d="M72 60v-6a8 8 0 0 1 16 0v6M80 70v5" />
    </svg>
  );
}
