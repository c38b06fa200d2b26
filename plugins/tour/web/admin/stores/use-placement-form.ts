import { useState } from 'react';
import { useForm } from '#core/ui';
import type { PlacedPlan } from '../../../contract/api/tour-content.ts';
import { placementRules, toPlacementValues, type PlacementMethod, type PlacementValues } from './placement-values.ts';

export type PlacementForm = ReturnType<typeof usePlacementForm>;

/** The form of a placement. Only the fields of the method are checked. */
export function usePlacementForm(
  plan: PlacedPlan,
  method: PlacementMethod,
  send: (values: PlacementValues) => Promise<void>,
) {
  const [initial] = useState(() => toPlacementValues(plan));
  return useForm<PlacementValues>({ initial, rules: placementRules[method], send });
}
