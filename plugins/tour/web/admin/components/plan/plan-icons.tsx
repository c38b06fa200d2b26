/** A triangle with an exclamation mark in the text colour. Decorative: the adjacent text has the meaning. */
export const WarningIcon = () => (
  <svg
    viewBox="0 0 16 16"
    width="16"
    height="16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    aria-hidden="true"
  >
    <path d="M8 2.2 14.2 13.5H1.8Z" strokeLinejoin="round" />
    <path d="M8 6.2v3.6M8 11.3v.8" strokeLinecap="round" />
  </svg>
);

export const RemoveIcon = () => (
  <svg
    viewBox="0 0 16 16"
    width="16"
    height="16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    aria-hidden="true"
  >
    <path d="m4 4 8 8m0-8-8 8" strokeLinecap="round" />
  </svg>
);
