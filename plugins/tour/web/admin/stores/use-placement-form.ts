import { useState } from 'react';
import { useForm } from '#core/ui';
import type { PlacedPlan } from '../../../contract/api/tour-content.ts';
import { placementRules, toPlacementValues, type PlacementMethod, type PlacementValues } from './placement-values.ts';
import type { SiteLengths } from './site-lengths.ts';

export type PlacementForm = ReturnType<typeof usePlacementForm>;

/** Form for a placement. Validates only the fields of the chosen method. */
export function usePlacementForm(
  plan: PlacedPlan,
  method: PlacementMethod,
  lengths: SiteLengths,
  send: (values: PlacementValues) => Promise<void>,
) {
  const [initial] = useState(() => toPlacementValues(plan, lengths));
  return useForm<PlacementValues>({ initial, rules: placementRules[method], send });
}
