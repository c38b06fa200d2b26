/** The icon of the tour module, a sphere with its equator and a meridian. */
export default function PanoramaIcon() {
  return (
    <svg
      viewBox="0 0 20 20"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      aria-hidden="true"
    >
      <circle cx="10" cy="10" r="7" />
      <ellipse cx="10" cy="10" rx="7" ry="2.8" />
      <ellipse cx="10" cy="10" rx="2.8" ry="7" />
    </svg>
  );
}
