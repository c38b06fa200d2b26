/**
 * Finds the uids of the measurements and annotations that a surface shows, as they are drawn: also those behind
 * equipment, which are faint. The snapshot has the same overlays.
 */
export function findDrawnItems(host: HTMLElement): ReadonlySet<string> {
  const picture = host.getBoundingClientRect();
  const groups = [...host.querySelectorAll<SVGGElement>('[data-item]')];
  return new Set(
    groups
      .filter((group) => group.childElementCount > 0 && overlaps(group.getBoundingClientRect(), picture))
      .flatMap(({ dataset }) => dataset['item'] ?? []),
  );
}

const overlaps = (a: DOMRect, b: DOMRect): boolean =>
  a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;
