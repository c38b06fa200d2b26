import { Button, Field, makeStyles, Select } from '@fluentui/react-components';
import { observer } from 'mobx-react-lite';
import type { LocationNode } from '#core';
import { useText } from '../../i18n/use-text.ts';
import { Locations } from '../../kernel/services.ts';
import { useService } from '../../kernel/use-service.ts';

// A long name is truncated instead of widening the box.
const useStyles = makeStyles({
  field: { minWidth: 0, gridTemplateColumns: 'minmax(0, 1fr)' },
  select: { width: '100%', minWidth: 0 },
});

export interface LocationChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (uid: string) => void;
}

/** Selects one of the person's accessible locations from their tree. */
export const LocationChoice = observer(function LocationChoice({ label, value, onChange }: LocationChoiceProps) {
  const styles = useStyles();
  const text = useText();
  const locations = useService(Locations);
  return (
    <Field
      className={styles.field}
      label={label}
      {...(locations.state === 'failed'
        ? { validationState: 'error', validationMessage: text('core.failed.general') }
        : {})}
    >
      {locations.state === 'failed' ? (
        <Button onClick={() => void locations.load()}>{text('core.tryAgain')}</Button>
      ) : (
        <Select
          className={styles.select}
          value={value}
          disabled={locations.state === 'loading'}
          onChange={(_, { value: uid }) => onChange(uid)}
        >
          {renderOptions(locations.roots, 0)}
        </Select>
      )}
    </Field>
  );
});

function renderOptions(nodes: readonly LocationNode[], depth: number): React.ReactNode[] {
  return nodes.flatMap((node) => [
    <option key={node.uid} value={node.uid}>
      {'    '.repeat(depth) + node.name + (node.label === '' || node.label === node.name ? '' : ` · ${node.label}`)}
    </option>,
    ...renderOptions(node.children, depth + 1),
  ]);
}
