import { observer } from 'mobx-react-lite';
import { useEffect, useId, useMemo, useRef } from 'react';
import { mandatory, max, number } from '#core';
import { Button, Checkbox, Field, Input, makeStyles, MessageBar, MessageBarBody, tokens, useForm } from '#core/ui';
import { DataTable, useAdminStyles, type DataColumn } from '#core/ui-data';
import { useFormatFailure, useText } from '#core/web';
import type { ContentLink, ContentNode } from '../../../../contract/api/tour-content.ts';
import { defaultLinkMetres, maxLinkMetres, toLinkKey, type LinkProposals } from '../../stores/link-proposals.ts';
import { toListedRows } from '../../stores/listed-rows.ts';
import { useInitialSiteLengths, useSiteLengths } from '../../stores/site-lengths.ts';
import type { ViewpointEditor } from '../../stores/viewpoint-editor.ts';

const useStyles = makeStyles({
  form: { display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: tokens.spacingHorizontalM },
  title: { margin: 0, fontSize: tokens.fontSizeBase300, fontWeight: tokens.fontWeightSemibold, outlineStyle: 'none' },
  text: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', display: 'block' },
});

export interface LinkProposalsPanelProps {
  readonly editor: ViewpointEditor;
  readonly proposals: LinkProposals;
  readonly onClose: () => void;
}

/** Proposes links within a distance. The plan shows proposals as dashed lines. The person checks and saves them. */
export const LinkProposalsPanel = observer(function LinkProposalsPanel({
  editor,
  proposals,
  onClose,
}: LinkProposalsPanelProps) {
  const t = useText();
  const styles = useStyles();
  const adminStyles = useAdminStyles();
  const formatFailure = useFormatFailure();
  const lengths = useInitialSiteLengths(editor.location);
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    return () => proposals.close();
  }, [proposals]);
  const form = useForm<{ distance: number | undefined }>({
    initial: { distance: Math.round(lengths.fromMetres(defaultLinkMetres)) },
    rules: { distance: [mandatory, number, requirePositive, max(Math.floor(lengths.fromMetres(maxLinkMetres)))] },
    send: async ({ distance = 0 }) => proposals.load(lengths.toMetres(distance)),
  });
  const { links, blockedCount, unknownCount, shownLinks, accepted, running, failure } = proposals;
  const acceptedCount = shownLinks.filter((link) => accepted.has(toLinkKey(link))).length;
  return (
    <section className={adminStyles.form} aria-labelledby={titleId}>
      <h3 id={titleId} ref={heading} tabIndex={-1} className={styles.title}>
        {t('tour.content.links.propose')}
      </h3>
      <form className={styles.form} onSubmit={form.submit} noValidate>
        <Field label={t('tour.content.links.distance', { unit: lengths.symbol })} required {...form.field('distance')}>
          <Input inputMode="decimal" autoComplete="off" {...form.number('distance')} />
        </Field>
        <Button type="submit" disabledFocusable={running}>
          {t('tour.content.links.find')}
        </Button>
        <Button onClick={onClose}>{t('tour.content.close')}</Button>
      </form>
      <div role="alert">
        {failure === undefined ? null : (
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>{formatFailure(failure)}</MessageBarBody>
          </MessageBar>
        )}
      </div>
      <p className={adminStyles.note} role="status">
        {links === undefined
          ? t('tour.content.links.hint')
          : [
              t('tour.content.links.found', { count: shownLinks.length }),
              ...(blockedCount > 0 ? [t('tour.content.links.blocked', { count: blockedCount })] : []),
              ...(unknownCount > 0 ? [t('tour.content.links.unknown', { count: unknownCount })] : []),
            ].join(' ')}
      </p>
      {shownLinks.length === 0 ? null : (
        <>
          <Checkbox
            label={t('tour.content.links.all')}
            checked={acceptedCount === shownLinks.length ? true : acceptedCount === 0 ? false : 'mixed'}
            onChange={(_, { checked }) => proposals.toggleAll(checked === true)}
          />
          <ProposalTable editor={editor} proposals={proposals} />
          <div className={adminStyles.actions}>
            <Button
              appearance="primary"
              disabledFocusable={running || acceptedCount === 0}
              onClick={() => void proposals.save()}
            >
              {t('tour.content.links.save', { count: acceptedCount })}
            </Button>
          </div>
        </>
      )}
    </section>
  );
});

const requirePositive = (value: number | undefined) =>
  value !== undefined && value <= 0 ? { message: 'tour.content.links.distanceAbove' } : undefined;

interface ProposalTableProps {
  readonly editor: ViewpointEditor;
  readonly proposals: LinkProposals;
}

const ProposalTable = observer(function ProposalTable({ editor, proposals }: ProposalTableProps) {
  const t = useText();
  const styles = useStyles();
  const { shownLinks } = proposals;
  const { saved } = editor;
  const rows = useMemo(() => toListedRows(shownLinks), [shownLinks]);
  const columns = useMemo((): readonly DataColumn<ContentLink>[] => {
    const nodes = new Map(saved.map((node) => [node.uid, node]));
    const format = (uid: string): string => {
      const node = nodes.get(uid);
      return node ? t('tour.content.codeAndName', { code: node.code, name: node.name }) : '';
    };
    const createEndColumn = (id: 'a' | 'b') => ({
      id,
      title: t(`tour.content.links.${id}`),
      width: 'minmax(0, 2fr)',
      cell: (link: ContentLink) => <span className={styles.text}>{format(link[id])}</span>,
    });
    return [
      {
        id: 'accept',
        title: t('tour.content.select'),
        titleHidden: true,
        width: '44px',
        cell: (link, tabIndex) => (
          <AcceptCell
            link={link}
            label={t('tour.content.links.accept', {
              a: nodes.get(link.a)?.code ?? '',
              b: nodes.get(link.b)?.code ?? '',
            })}
            proposals={proposals}
            tabIndex={tabIndex}
          />
        ),
      },
      createEndColumn('a'),
      createEndColumn('b'),
      {
        id: 'kind',
        title: t('tour.content.links.kind'),
        width: '1fr',
        cell: ({ kind }) => t(`tour.content.links.${kind}`),
      },
      {
        id: 'distance',
        title: t('tour.content.links.length'),
        width: '1fr',
        cell: ({ a, b }) => <DistanceCell location={editor.location} a={nodes.get(a)} b={nodes.get(b)} />,
      },
    ];
  }, [t, saved, proposals, styles, editor]);
  return (
    <DataTable
      label={t('tour.content.links.proposals')}
      rows={rows}
      columns={columns}
      rowHeightPx={44}
      narrow={{ belowPx: 480, rowHeightPx: 148 }}
      empty={null}
    />
  );
});

interface AcceptCellProps {
  readonly link: ContentLink;
  readonly label: string;
  readonly proposals: LinkProposals;
  readonly tabIndex: 0 | -1;
}

const AcceptCell = observer(function AcceptCell({ link, label, proposals, tabIndex }: AcceptCellProps) {
  return (
    <Checkbox
      tabIndex={tabIndex}
      aria-label={label}
      checked={proposals.accepted.has(toLinkKey(link))}
      onChange={() => proposals.toggle(link)}
    />
  );
});

interface DistanceCellProps {
  /** Uid of a location of the site. */
  readonly location: string;
  readonly a: ContentNode | undefined;
  readonly b: ContentNode | undefined;
}

const DistanceCell = observer(function DistanceCell({ location, a, b }: DistanceCellProps) {
  const lengths = useSiteLengths(location);
  if (!a || !b) return null;
  const metres = Math.hypot(...a.position.map((value, axis) => value - (b.position[axis] ?? 0)));
  return lengths.length(metres, { decimals: 1 });
});
