import type { ReactNode } from 'react';
import { observer } from 'mobx-react-lite';
import { Link, makeStyles, PanelSkeleton, tokens } from '#core/ui';
import { ContributedComponent, I18n, useContributions, useService, useText } from '#core/web';
import { tagSections, type TagDetails, TourStore, type TagSection } from '#plugins/tour';
import { useTurnToCoveredTag } from './use-turn-to-covered-tag.ts';
import { SeenFromSection } from './seen-from-section.tsx';
import { TagActions } from './tag-actions.tsx';
import { useRowStyles } from './use-row-styles.ts';

const useStyles = makeStyles({
  description: { margin: '0 8px 8px' },
  details: { display: 'grid', gridTemplateColumns: 'auto 1fr', columnGap: '16px', rowGap: '4px', margin: '0 8px 8px' },
  name: { color: tokens.colorNeutralForeground2 },
  value: { margin: 0, overflowWrap: 'anywhere' },
});

/** Declared in this file and not in the plugin's index, because the index is loaded before a tour is opened. */
const ownSections: readonly TagSection[] = [
  {
    id: 'tour.documents',
    order: 0,
    title: 'tour.documents.title',
    isShown: ({ documents }) => documents.length > 0,
    load: () => import('./documents-section.tsx'),
  },
  // Imported with the panel, to save a request.
  { id: 'tour.seenFrom', order: 10, title: 'tour.tag.seenFrom', load: async () => ({ default: SeenFromSection }) },
];

/** Details of the selected tag or line, with its documents and the sections of plugins. */
export const TagPanel = observer(function TagPanel({
  selected,
}: {
  readonly selected: NonNullable<TourStore['selectedTag']>;
}) {
  const rows = useRowStyles();
  const t = useText();
  const sections = [...ownSections, ...useContributions(tagSections)].toSorted((a, b) => a.order - b.order);
  const { details, state } = selected;
  useTurnToCoveredTag(selected);
  if (state === 'failure') return <p role="alert">{t('tour.tag.failed', { number: selected.number })}</p>;
  if (!details) return <PanelSkeleton />;
  return (
    <>
      <TagProperties tag={details} />
      <TagActions tag={details} />
      {sections
        .filter(({ isShown }) => isShown?.(details) ?? true)
        .map((section) => (
          <section key={section.id} aria-label={t(section.title)}>
            <h3 className={rows.heading}>{t(section.title)}</h3>
            <ContributedComponent
              contribution={section}
              load={section.load}
              props={{ tag: details }}
              fallback={<PanelSkeleton lines={2} />}
            />
          </section>
        ))}
    </>
  );
});

const TagProperties = observer(function TagProperties({ tag }: { readonly tag: TagDetails }) {
  const styles = useStyles();
  const t = useText();
  const { language } = useService(I18n);
  const metres = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const millimetres = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const properties: readonly (readonly [string, ReactNode])[] = [
    [t('tour.tag.kind'), t(`tour.kind.${tag.kind}`)],
    ...(tag.line === null ? [] : [[t('tour.tag.line'), <LineLink key="line" number={tag.line} />] as const]),
    ...(tag.pipe === null
      ? []
      : ([
          [t('tour.tag.service'), tag.pipe.service],
          [
            t('tour.tag.size'),
            t('tour.tag.sizeValue', {
              nps: tag.pipe.nps,
              diameter: millimetres.format(tag.pipe.outsideDiameter * 1000),
            }),
          ],
          [t('tour.tag.from'), tag.pipe.from],
          [t('tour.tag.to'), tag.pipe.to],
        ] as const)),
    ...(tag.position === null
      ? []
      : [
          [
            t('tour.tag.position'),
            t('tour.tag.positionValue', {
              x: metres.format(tag.position[0]),
              y: metres.format(tag.position[1]),
              z: metres.format(tag.position[2]),
            }),
          ] as const,
        ]),
  ];
  return (
    <>
      <p className={styles.description}>{tag.description}</p>
      <dl className={styles.details}>
        {properties.map(([name, value]) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt className={styles.name}>{name}</dt>
            <dd className={styles.value}>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
});

/** Goes to the line of the tag. */
const LineLink = observer(function LineLink({ number }: { readonly number: string }) {
  const store = useService(TourStore);
  return <Link onClick={() => void store.goToTag(number)}>{number}</Link>;
});
