import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { LocationNode } from '#core';
import { Button, Field, makeStyles, tokens } from '#core/ui';
import { Combobox, Option, useAdminStyles } from '#core/ui-data';
import { Locations, useService, useText } from '#core/web';
import { createTextMatcher } from '../stores/normalize-text.ts';

/** The maximum number of shown options. A person finds the other options by typing. */
const maxOptions = 80;

const useStyles = makeStyles({
  row: { display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: tokens.spacingHorizontalS },
  field: { flexGrow: 1, flexBasis: '200px', minWidth: 0, '& > div': { minWidth: 0 } },
});

export interface LocationComboboxProps {
  readonly locations: readonly LocationNode[];
  /** Uid of the common ancestor. The shown paths begin below it. */
  readonly root: string;
  readonly disabled: boolean;
  readonly onChoose: (uid: string) => void;
}

/** Chooses the location for which a map hotspot is drawn next, from a list or by typing words of its path. */
export const LocationCombobox = observer(function LocationCombobox({
  locations,
  root,
  disabled,
  onChoose,
}: LocationComboboxProps) {
  const t = useText();
  const styles = useStyles();
  const adminStyles = useAdminStyles();
  const tree = useService(Locations);
  const [text, setText] = useState('');
  const [chosenUid, setChosen] = useState<string>();
  const formatPath = (uid: string): string => {
    const path = tree.pathTo(uid);
    const rootIndex = path.findIndex((node) => node.uid === root);
    return path
      .slice(rootIndex + 1)
      .map(({ name }) => name)
      .join(' › ');
  };
  const paths = locations.map(({ uid }) => ({ uid, path: formatPath(uid) }));
  // After a choice, `text` is its whole path, and all options are listed again.
  const matchesText = createTextMatcher(chosenUid === undefined ? text : '');
  const matches = paths.filter(({ path }) => matchesText(path)).slice(0, maxOptions);
  if (locations.length === 0) return <p className={adminStyles.note}>{t('locations.areas.noneLeft')}</p>;
  return (
    <div className={styles.row}>
      <Field className={styles.field} label={t('locations.areas.location')}>
        <Combobox
          freeform
          disabled={disabled}
          value={text}
          selectedOptions={chosenUid === undefined ? [] : [chosenUid]}
          placeholder={t('locations.areas.choose')}
          onChange={({ target }) => {
            setText(target.value);
            setChosen(undefined);
          }}
          onOptionSelect={(_, { optionValue, optionText }) => {
            setText(optionText ?? '');
            setChosen(optionValue);
          }}
        >
          {matches.map(({ uid, path }) => (
            <Option key={uid} value={uid} text={path}>
              {path}
            </Option>
          ))}
        </Combobox>
      </Field>
      <Button
        disabledFocusable={disabled || chosenUid === undefined}
        onClick={() => chosenUid !== undefined && onChoose(chosenUid)}
      >
        {t('locations.areas.draw')}
      </Button>
    </div>
  );
});
