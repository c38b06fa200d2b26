/** Illustration of an empty cable drum. It has the text colour of its parent, which is the brand colour. */
export function EmptyStatePicture() {
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
      <ellipse cx="80" cy="100" rx="44" ry="5" fill="currentColor" stroke="none" opacity=".1" />
      <path
        d="M58 28c-14 0-24 16-24 36s10 36 24 36h44c14 0 24-16 24-36s-10-36-24-36Z"
        fill="currentColor"
        opacity=".06"
        stroke="none"
      />
      <ellipse cx="58" cy="64" rx="24" ry="36" />
      <ellipse cx="58" cy="64" rx="9" ry="13" />
      <path d="M102 28c13 0 24 16 24 36s-11 36-24 36M70 52h26M70 76h26" />
      <path d="M96 46c5 3 8 10 8 18s-3 15-8 18" opacity=".5" />
      <path d="M58 36v8M58 84v8M42 64h4M70 64h4" opacity=".5" />
      <path d="M112 22l6-6M120 30l8-4" opacity=".35" />
    </svg>
  );
}
