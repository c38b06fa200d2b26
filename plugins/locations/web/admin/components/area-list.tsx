import { observer } from 'mobx-react-lite';
import { useId, useRef } from 'react';
import { Button, makeStyles, tokens } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';
import type { AreasDraft } from '../stores/areas-draft.ts';

const useStyles = makeStyles({
  list: { display: 'grid', gap: tokens.spacingVerticalXS, margin: 0, padding: 0, listStyleType: 'none' },
  area: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalS },
  name: { flexGrow: 1, minWidth: 0, overflowWrap: 'anywhere' },
  crossing: { color: tokens.colorStatusDangerForeground1 },
  title: { margin: 0, fontSize: tokens.fontSizeBase300, fontWeight: tokens.fontWeightSemibold, outlineStyle: 'none' },
});

export interface AreaListProps {
  readonly draft: AreasDraft;
  readonly label: string;
  readonly findName: (location: string) => string;
  /** Called after an area is opened for editing. Its corners are rendered next. */
  readonly onEdit: () => void;
}

/** Lists all areas as text, with buttons to edit and remove them. */
export const AreaList = observer(function AreaList({ draft, label, findName, onEdit }: AreaListProps) {
  const t = useText();
  const styles = useStyles();
  const adminStyles = useAdminStyles();
  const heading = useRef<HTMLHeadingElement>(null);
  const titleId = useId();
  return (
    <div className={styles.list}>
      <h5 id={titleId} ref={heading} tabIndex={-1} className={styles.title}>
        {label}
      </h5>
      {draft.areas.length === 0 ? (
        <p className={adminStyles.note}>{t('locations.areas.none')}</p>
      ) : (
        <ul className={styles.list} aria-labelledby={titleId}>
          {draft.areas.map(({ location, polygon }) => {
            const name = findName(location);
            const isEdited = draft.editedLocation === location;
            return (
              <li key={location} className={styles.area}>
                <span className={styles.name}>
                  {name}{' '}
                  <span className={adminStyles.note}>{t('locations.areas.corners', { count: polygon.length })}</span>
                  {draft.crossingLocations.has(location) ? (
                    <span className={styles.crossing}> {t('locations.areas.crossing')}</span>
                  ) : null}
                </span>
                <Button
                  aria-label={t(isEdited ? 'locations.areas.doneWith' : 'locations.areas.editOf', { name })}
                  disabledFocusable={draft.drawing !== undefined}
                  onClick={() => {
                    draft.edit(isEdited ? undefined : location);
                    if (!isEdited) onEdit();
                  }}
                >
                  {t(isEdited ? 'locations.areas.done' : 'locations.areas.edit')}
                </Button>
                <Button
                  aria-label={t('locations.areas.removeOf', { name })}
                  onClick={() => {
                    draft.removeArea(location);
                    heading.current?.focus();
                  }}
                >
                  {t('locations.areas.remove')}
                </Button>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
});
