import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  tokens,
  useRestoreFocus,
} from '#core/ui';
import { useText } from '#core/web';

const useStyles = makeStyles({
  groups: { display: 'grid', gap: '20px' },
  title: { margin: '0 0 8px', fontSize: tokens.fontSizeBase300, fontWeight: tokens.fontWeightSemibold },
  list: { display: 'grid', gridTemplateColumns: 'minmax(112px, auto) 1fr', gap: '6px 16px', margin: 0 },
  keys: { display: 'flex', flexWrap: 'wrap', gap: '4px', alignItems: 'start' },
  key: {
    minWidth: '24px',
    padding: '1px 6px',
    textAlign: 'center',
    fontFamily: 'inherit',
    fontSize: tokens.fontSizeBase200,
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground3,
  },
  description: { margin: 0 },
});

/** Keys with different names on different keyboards. */
const keyNames = {
  Esc: 'tour.key.escape',
  Enter: 'tour.key.enter',
  Home: 'tour.key.home',
  Shift: 'tour.key.shift',
} as const;
const findKeyName = (key: string): (typeof keyNames)[keyof typeof keyNames] | undefined =>
  Object.hasOwn(keyNames, key) ? keyNames[key as keyof typeof keyNames] : undefined;

const shortcuts = {
  everywhere: [
    [['/', 'Ctrl+K'], 'search'],
    [['H'], 'hide'],
    [['Esc'], 'close'],
    [['Tab', 'Enter'], 'next'],
    [['?'], 'list'],
  ],
  picture: [
    [['←', '→', '↑', '↓'], 'turn'],
    [['+', '-'], 'zoom'],
    [['Home'], 'home'],
  ],
  walk: [
    [['W', 'S', 'A', 'D'], 'steps'],
    [['Q', 'E'], 'rise'],
    [['←', '→'], 'turn'],
    [['R', 'F'], 'tilt'],
    [['Shift'], 'fast'],
    [['Home'], 'home'],
  ],
  tools: [
    [['Enter'], 'point'],
    [['Shift'], 'free'],
    [['Ctrl+Z'], 'undo'],
  ],
} as const;
const groups = ['everywhere', 'picture', 'walk', 'tools'] as const;

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const styles = useStyles();
  const t = useText();
  useRestoreFocus();
  return (
    <Dialog open onOpenChange={(_, { open }) => (open ? undefined : onClose())}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{t('tour.shortcuts')}</DialogTitle>
          <DialogContent className={styles.groups}>
            {groups.map((group) => (
              <section key={group} aria-label={t(`tour.shortcuts.${group}`)}>
                <h3 className={styles.title}>{t(`tour.shortcuts.${group}`)}</h3>
                <dl className={styles.list}>
                  {shortcuts[group].map(([keys, action]) => (
                    <div key={action} style={{ display: 'contents' }}>
                      <dt className={styles.keys}>
                        {keys.map((key) => {
                          const name = findKeyName(key);
                          return (
                            <kbd key={key} className={styles.key}>
                              {name === undefined ? key : t(name)}
                            </kbd>
                          );
                        })}
                      </dt>
                      <dd className={styles.description}>{t(`tour.shortcuts.${action}`)}</dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
          </DialogContent>
          <DialogActions fluid>
            <Button onClick={onClose}>{t('tour.shortcutsClose')}</Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
