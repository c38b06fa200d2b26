import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Radio, RadioGroup } from '#core/ui';
import { ConfirmDialog } from '#core/ui-data';
import { useFormats, useText } from '#core/web';
import type { MasterTypeDetails } from '../../contract/api/master-data.ts';
import type { MasterMutations } from '../stores/master-mutations.ts';

const choices = ['ALL', 'RESTORE'] as const;

export interface TypeStatusDialogProps {
  readonly type: MasterTypeDetails;
  readonly mutations: MasterMutations;
  readonly onClose: () => void;
}

/** Activates or deactivates a type after saying how many of its masters change with it. */
export const TypeStatusDialog = observer(function TypeStatusDialog({
  type,
  mutations,
  onClose,
}: TypeStatusDialogProps) {
  const t = useText();
  const { number } = useFormats();
  const [choice, setChoice] = useState<(typeof choices)[number]>('ALL');
  // Fixed while the dialog is open, so that a reload of the type does not change the question.
  const [active] = useState(!type.active);
  const { code, masters, activeMasters, formerlyActive, version } = type;
  const name = t(`masters.type.${code}`);
  const toCountValues = (count: number) => ({ count, shown: number(count) });
  return (
    <ConfirmDialog
      title={t(active ? 'masters.types.activateTitle' : 'masters.types.deactivateTitle', { name })}
      message={
        active
          ? t('masters.types.activateHint', toCountValues(masters))
          : t('masters.types.deactivateHint', toCountValues(activeMasters))
      }
      action={t(active ? 'masters.activate' : 'masters.deactivate')}
      onConfirm={() => mutations.setType(code, name, { active, restore: active && choice === 'RESTORE', version })}
      onClose={onClose}
    >
      {active && masters > 0 ? (
        <RadioGroup
          aria-label={t('masters.types.choice')}
          value={choice}
          onChange={(_, { value }) => setChoice(choices.find((candidate) => candidate === value) ?? 'ALL')}
        >
          <Radio value="ALL" label={t('masters.types.activateAll', toCountValues(masters))} />
          <Radio
            value="RESTORE"
            label={t('masters.types.restore', {
              active: number(formerlyActive),
              inactive: number(masters - formerlyActive),
            })}
          />
        </RadioGroup>
      ) : null}
    </ConfirmDialog>
  );
});
