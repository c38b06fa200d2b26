import type { ReactNode } from 'react';
import { makeStyles, Switch, tokens } from '#core/ui';
import { useText } from '#core/web';
import { CopyButton } from './copy-button.tsx';
import { IconButton } from './icon-button.tsx';
import { DeleteIcon, LinkIcon, RenameIcon } from './icons.tsx';

/** Styles of a list row in a panel. */
export const useItemStyles = makeStyles({
  row: { padding: '8px', borderBottom: `1px solid ${tokens.colorNeutralStroke2}` },
  chosen: {
    backgroundColor: tokens.colorNeutralBackground1Selected,
    boxShadow: `inset 3px 0 0 ${tokens.colorBrandStroke1}`,
    '@media (forced-colors: active)': { outline: '2px solid Highlight', outlineOffset: '-2px' },
  },
  line: { display: 'flex', alignItems: 'center', gap: '8px', minWidth: 0 },
  /** The name as a button. */
  name: {
    flexGrow: 1,
    minWidth: 0,
    paddingInline: 0,
    justifyContent: 'flex-start',
    textAlign: 'start',
    overflowWrap: 'anywhere',
  },
  details: { margin: 0, fontSize: tokens.fontSizeBase200, color: tokens.colorNeutralForeground2 },
  actions: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '4px' },
});

const useStyles = makeStyles({ shared: { marginInlineStart: 'auto' } });

interface ActionableItem {
  readonly uid: string;
  readonly view: string | null;
  readonly own: boolean;
  readonly editable: boolean;
  readonly shared: boolean;
}

export interface ItemActionsProps<Item extends ActionableItem> {
  readonly item: Item;
  readonly list: { change(uid: string, changes: { readonly shared: boolean }): Promise<void> };
  /** Label and handler of the edit button, or undefined during an edit. */
  readonly edit: { readonly label: string; readonly start: () => void } | undefined;
  readonly formatUrl: (item: Item) => string;
  readonly onDelete: () => void;
  /** Buttons of this item type, after the edit button. */
  readonly children?: ReactNode;
}

/** The buttons edit, copy link, delete and share, as far as the person is allowed to use them. */
export function ItemActions<Item extends ActionableItem>({
  item,
  list,
  edit,
  formatUrl,
  onDelete,
  children,
}: ItemActionsProps<Item>) {
  const styles = useStyles();
  const t = useText();
  const { uid, view, own, editable, shared } = item;
  return (
    <>
      {edit && editable ? <IconButton label={edit.label} icon={<RenameIcon />} onClick={edit.start} /> : null}
      {children}
      {view === null ? null : (
        <CopyButton label={t('annotate.copyLink')} icon={<LinkIcon />} getText={() => formatUrl(item)} />
      )}
      {editable ? <IconButton label={t('annotate.delete')} icon={<DeleteIcon />} onClick={onDelete} /> : null}
      {own ? (
        <Switch
          className={styles.shared}
          checked={shared}
          label={t('annotate.shared')}
          onChange={(_, { checked }) => void list.change(uid, { shared: checked })}
        />
      ) : null}
    </>
  );
}
