import { observer } from 'mobx-react-lite';
import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { Badge, Button, EmptyState, makeStyles, mergeClasses, tokens, useRestoreFocusTarget } from '#core/ui';
import { DataTable, type DataColumn, type PagedRows } from '#core/ui-data';
import { useText } from '#core/web';
import type { MappedObject } from '../../../contract/api.ts';

const useStyles = makeStyles({
  truncated: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0 },
  within: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  tag: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS, minWidth: 0 },
  actions: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalM },
  link: {
    color: tokens.colorBrandForegroundLink,
    minHeight: '32px',
    display: 'flex',
    alignItems: 'center',
    '@media (pointer: coarse)': { minHeight: '44px' },
  },
});

/** An object of a model, or a tag without an object. */
export type MappingRow = MappedObject | string;

interface MappingTableProps {
  readonly rows: PagedRows<MappingRow>;
  /** Returns the URL of an object in the 3D view, if there is a tour. */
  readonly findLink: (object: MappedObject) => string | undefined;
  readonly getNodeName: (uid: string) => string;
  readonly onEdit: (object: MappedObject) => void;
}

/** Table of the objects of models, or of the tags without an object. */
export const MappingTable = observer(function MappingTable({ rows, findLink, getNodeName, onEdit }: MappingTableProps) {
  const t = useText();
  const columns = useMemo(
    (): readonly DataColumn<MappingRow>[] => [
      {
        id: 'object',
        title: t('model-3d.mapping.object'),
        width: 'minmax(0, 2fr)',
        cell: (row) => (typeof row === 'string' ? t('model-3d.mapping.noObject') : <ObjectName object={row} />),
      },
      {
        id: 'tag',
        title: t('model-3d.mapping.tag'),
        width: 'minmax(0, 1.4fr)',
        cell: (row) => (typeof row === 'string' ? <strong>{row}</strong> : <MappedTagCell object={row} />),
      },
      {
        id: 'node',
        title: t('model-3d.mapping.node'),
        width: 'minmax(0, 1fr)',
        cell: (row) =>
          typeof row === 'string' || !row.mappedNode ? '' : <TruncatedText text={getNodeName(row.mappedNode)} />,
      },
      {
        id: 'actions',
        title: t('model-3d.mapping.actions'),
        titleHidden: true,
        width: '232px',
        cell: (row, tabIndex) =>
          typeof row === 'string' ? (
            ''
          ) : (
            <Actions object={row} link={findLink(row)} tabIndex={tabIndex} onEdit={onEdit} />
          ),
      },
    ],
    [t, findLink, getNodeName, onEdit],
  );
  return (
    <DataTable
      label={t('model-3d.mapping.title')}
      rows={rows}
      columns={columns}
      rowHeightPx={56}
      narrow={{ belowPx: 700, rowHeightPx: 148 }}
      empty={<EmptyState title={t('model-3d.mapping.nothing')} message={t('model-3d.mapping.nothingHint')} />}
    />
  );
});

function TruncatedText({ text }: { readonly text: string }) {
  const styles = useStyles();
  return (
    <div className={styles.truncated} title={text}>
      {text}
    </div>
  );
}

function ObjectName({ object: { name, within } }: { readonly object: MappedObject }) {
  const styles = useStyles();
  const path = within.join(' › ');
  return (
    <>
      <TruncatedText text={name} />
      <div className={mergeClasses(styles.truncated, styles.within)} title={path}>
        {path}
      </div>
    </>
  );
}

function MappedTagCell({ object: { tag, mappedTag, known } }: { readonly object: MappedObject }) {
  const styles = useStyles();
  const t = useText();
  const effectiveTag = (mappedTag ? mappedTag.number : tag) ?? '';
  return (
    <div className={styles.tag}>
      <TruncatedText text={effectiveTag === '' ? t('model-3d.mapping.none') : effectiveTag} />
      {mappedTag === null ? null : (
        <Badge appearance="tint" color="brand">
          {t(mappedTag.rule === null ? 'model-3d.mapping.byHand' : 'model-3d.mapping.byRule')}
        </Badge>
      )}
      {/* `known` is null for an object without a tag. */}
      {known === false ? (
        <Badge appearance="tint" color="warning">
          {t('model-3d.mapping.unknown')}
        </Badge>
      ) : null}
    </div>
  );
}

interface ActionsProps extends Pick<MappingTableProps, 'onEdit'> {
  readonly object: MappedObject;
  readonly link: string | undefined;
  readonly tabIndex: 0 | -1;
}

function Actions({ object, link, tabIndex, onEdit }: ActionsProps) {
  const styles = useStyles();
  const t = useText();
  const opener = useRestoreFocusTarget();
  const { name } = object;
  return (
    <div className={styles.actions}>
      <Button
        {...opener}
        tabIndex={tabIndex}
        onClick={() => onEdit(object)}
        aria-label={t('model-3d.mapping.editOne', { name })}
      >
        {t('model-3d.mapping.edit')}
      </Button>
      {link === undefined ? null : (
        <Link
          to={link}
          tabIndex={tabIndex}
          className={styles.link}
          aria-label={t('model-3d.mapping.showOne', { name })}
        >
          {t('model-3d.mapping.show')}
        </Link>
      )}
    </div>
  );
}
