/** A scanner on its tripod, with the fan of its beam. */
export default function ScanIcon() {
  return (
    <svg
      viewBox="0 0 20 20"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <rect x="7.5" y="6" width="5" height="5" rx="1" />
      <path d="M10 11v3M10 14l-3.5 3.5M10 14l3.5 3.5M3 9a7 7 0 0 1 3-5M17 9a7 7 0 0 0-3-5" />
    </svg>
  );
}
