import { useState } from 'react';
import { observer } from 'mobx-react-lite';
import { Button, Link, makeStyles, PanelSkeleton, ResourceView } from '#core/ui';
import { HttpClient, useFormats, useResource, useService, useText } from '#core/web';
import { TourStore, type DocumentRevision, type TagDocument, type TagSectionProps } from '#plugins/tour';
import type { getDocument } from '#plugins/tour/api';
import { useRowStyles } from './use-row-styles.ts';

const useStyles = makeStyles({
  document: { display: 'grid', justifyItems: 'start', padding: '4px 8px' },
  file: { display: 'inline-block', paddingBlock: '6px', overflowWrap: 'anywhere' },
  revision: { display: 'grid', justifyItems: 'start' },
  earlier: { listStyleType: 'none', margin: 0, padding: 0, display: 'grid' },
});

/** The documents of a tag. A document opens its latest revision in a new tab, and lists earlier revisions on request. */
export default observer(function DocumentsSection({ tag }: TagSectionProps) {
  const rows = useRowStyles();
  return (
    <ul className={rows.list}>
      {tag.documents.map((document) => (
        <DocumentItem key={document.uid} document={document} />
      ))}
    </ul>
  );
});

const DocumentItem = observer(function DocumentItem({ document }: { readonly document: TagDocument }) {
  const styles = useStyles();
  const t = useText();
  const [open, setOpen] = useState(false);
  return (
    <li className={styles.document}>
      <RevisionLink name={document.title} code={document.code} revision={document.latest} />
      {document.revisions > 1 ? (
        <Button appearance="subtle" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t('tour.documents.earlier', { count: document.revisions - 1 })}
        </Button>
      ) : null}
      {open ? <EarlierRevisions document={document} /> : null}
    </li>
  );
});

const EarlierRevisions = observer(function EarlierRevisions({ document }: { readonly document: TagDocument }) {
  const styles = useStyles();
  const t = useText();
  const http = useService(HttpClient);
  const location = useService(TourStore).opened?.tour.location ?? '';
  const details = useResource(
    (signal) =>
      http.call<typeof getDocument>(
        'GET',
        '/api/tour/:location/documents/:code',
        { params: { location, code: document.code } },
        { signal },
      ),
    [http, location, document.code],
  );
  return (
    <ResourceView resource={details} waiting={<PanelSkeleton lines={1} />}>
      {({ revisions }) => (
        <ul className={styles.earlier}>
          {revisions
            .filter(({ revision }) => revision !== document.latest.revision)
            .map((revision) => (
              <li key={revision.revision} className={styles.revision}>
                <RevisionLink
                  name={t('tour.documents.revision', { revision: revision.revision })}
                  revision={revision}
                />
              </li>
            ))}
        </ul>
      )}
    </ResourceView>
  );
});

const RevisionLink = observer(function RevisionLink({
  name,
  code,
  revision: { revision, status, issuedOn, address, bytes },
}: {
  readonly name: string;
  readonly code?: string;
  readonly revision: DocumentRevision;
}) {
  const styles = useStyles();
  const rows = useRowStyles();
  const t = useText();
  const formats = useFormats();
  const properties = [
    ...(code === undefined ? [] : [code, t('tour.documents.revision', { revision })]),
    t(`tour.documents.status.${toStatusGroup(status)}`, { status }),
    formats.calendarDay(issuedOn),
    formats.bytes(bytes),
  ];
  return (
    <>
      <Link className={styles.file} href={address} target="_blank" rel="noopener">
        {name}
      </Link>
      <span className={rows.small}>{properties.join(' · ')}</span>
    </>
  );
});

/** Groups of the status codes of ISO 19650-2 (UK national annex). */
const statusGroups = ['inProgress', 'shared', 'published', 'partlyAccepted', 'asBuilt'] as const;

function toStatusGroup(status: string): (typeof statusGroups)[number] {
  if (status === 'CR') return 'asBuilt';
  if (status.startsWith('A')) return 'published';
  if (status.startsWith('B')) return 'partlyAccepted';
  return status === 'S0' ? 'inProgress' : 'shared';
}
