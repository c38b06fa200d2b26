import { useText } from '#core/web';
import { maxResidualMetres } from '../../../common/fit-plan.ts';
import type { PlanMark } from './find-mark-step.ts';
import { maxPlanPoints, type PlacementMethod } from './placement-values.ts';
import type { PlacementForm } from './use-placement-form.ts';

/** Marks on the plan: the points, or the two marks A and B of a known distance. */
export function useMarks(form: PlacementForm, method: PlacementMethod, residuals: readonly (number | undefined)[]) {
  const t = useText();
  const points = form.state('points');
  const marks = form.state('marks');
  const shownMarks: readonly PlanMark[] = method === 'points' ? points.value : marks.value;
  const toBadge = (index: number): string => (method === 'points' ? String(index + 1) : index === 0 ? 'A' : 'B');
  return {
    labelledMarks: shownMarks.map(({ x, y }, index) => ({
      x,
      y,
      badge: toBadge(index),
      label: t('tour.plan.mark', { name: toBadge(index), x, y }),
      failed: method === 'points' && (residuals[index] ?? 0) > maxResidualMetres,
    })),
    /** Adds a mark and returns its index. Undefined if the plan has the maximum number of points. */
    add: (mark: PlanMark): number | undefined => {
      if (form.busy) return undefined;
      if (method === 'scale') {
        // A third mark replaces B.
        const firstMarks = marks.value.slice(0, 1);
        marks.onChange([...firstMarks, mark]);
        return firstMarks.length;
      }
      if (points.value.length >= maxPlanPoints) return undefined;
      points.onChange([...points.value, { ...mark, east: undefined, north: undefined }]);
      return points.value.length;
    },
    move: (index: number, mark: PlanMark): void => {
      if (form.busy) return;
      if (method === 'scale')
        marks.onChange(marks.value.map((current, position) => (position === index ? mark : current)));
      else
        points.onChange(
          points.value.map((current, position) => (position === index ? { ...current, ...mark } : current)),
        );
    },
    remove: (index: number): void => {
      if (form.busy) return;
      if (method === 'scale') marks.onChange(marks.value.filter((_, at) => at !== index));
      else points.onChange(points.value.filter((_, at) => at !== index));
    },
  };
}
