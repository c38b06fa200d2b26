/** Illustration of a helmet on its hook. */
export function InactivePicture() {
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
      <path d="M40 18h80" strokeWidth="4" />
      <path d="M80 18v10a7 7 0 1 1-7 7" />
      <path d="M44 78a36 36 0 0 1 72 0z" fill="currentColor" opacity=".08" stroke="none" />
      <path d="M44 78a36 36 0 0 1 72 0M36 78h88a4 4 0 0 1 0 8H36a4 4 0 0 1 0-8Z" />
      <path d="M70 44v22M90 44v22M80 42v24" opacity=".6" />
      <path d="M52 86c4 10 14 12 28 12" opacity=".5" />
    </svg>
  );
}
