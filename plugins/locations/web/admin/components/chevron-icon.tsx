const rotations = { right: 0, down: 90, left: 180, up: 270 } as const;

export interface ChevronIconProps {
  readonly direction: keyof typeof rotations;
}

export function ChevronIcon({ direction }: ChevronIconProps) {
  return (
    <svg
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      style={{ transform: `rotate(${rotations[direction]}deg)` }}
    >
      <path d="M6 3l5 5-5 5" />
    </svg>
  );
}
