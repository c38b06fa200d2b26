import { observer } from 'mobx-react-lite';
import { useMemo } from 'react';
import type { ContentCheckResult, ContentFinding, listContentFindings } from '#core/api';
import { EmptyState, ListSkeleton, makeStyles, ResourceView } from '#core/ui';
import { DataTable, usePagedResource, type DataColumn } from '#core/ui-data';
import { HttpClient, Locations, RouteLink, useService, useText } from '#core/web';

const useStyles = makeStyles({
  link: { display: 'inline-flex', alignItems: 'center', minHeight: '44px', minWidth: '44px' },
});

export interface FindingTableProps {
  readonly check: ContentCheckResult;
  /** Uid of the checked location. */
  readonly location: string;
  readonly label: string;
}

/** Lists the findings of a check, each with a link to the screen that fixes it. */
export const FindingTable = observer(function FindingTable({ check, location, label }: FindingTableProps) {
  const t = useText();
  const http = useService(HttpClient);
  const locations = useService(Locations);
  const { id } = check;
  const pages = usePagedResource(
    (query, signal) =>
      http.call<typeof listContentFindings>(
        'GET',
        '/api/content-checks/:location/:check',
        { params: { location, check: id }, query },
        { signal },
      ),
    [http, location, id],
    `${location} ${id}`,
  );
  const columns = useMemo(
    (): readonly DataColumn<ContentFinding>[] => [
      {
        id: 'name',
        title: t('content-check.name'),
        width: 'minmax(0, 2fr)',
        cell: ({ name }) => <strong>{name}</strong>,
      },
      {
        id: 'location',
        title: t('content-check.location'),
        width: 'minmax(0, 2fr)',
        cell: (finding) => locations.find(finding.location)?.name ?? finding.location,
      },
      {
        id: 'fix',
        title: t('content-check.fix'),
        titleHidden: true,
        width: '120px',
        cell: (finding, tabIndex) => <FixLink fix={check.fix} finding={finding} tabIndex={tabIndex} />,
      },
    ],
    [t, locations, check.fix],
  );
  return (
    <ResourceView resource={pages} noAccessTo="tools" waiting={<ListSkeleton />}>
      {() => (
        <DataTable
          label={label}
          rows={pages}
          columns={columns}
          rowHeightPx={56}
          narrow={{ belowPx: 480, rowHeightPx: 124 }}
          empty={<EmptyState title={t('content-check.fixed')} message={t('content-check.fixedHint')} />}
        />
      )}
    </ResourceView>
  );
});

interface FixLinkProps {
  readonly fix: ContentCheckResult['fix'];
  readonly finding: ContentFinding;
  readonly tabIndex: 0 | -1;
}

function FixLink({ fix, finding: { location, subject, name }, tabIndex }: FixLinkProps) {
  const t = useText();
  const search = new URLSearchParams({ location, ...(fix.parameter === null ? {} : { [fix.parameter]: subject }) });
  return (
    <RouteLink
      to={{ id: fix.route, path: fix.path }}
      search={String(search)}
      className={useStyles().link}
      tabIndex={tabIndex}
      aria-label={t('content-check.fixOne', { name })}
    >
      {t('content-check.fix')}
    </RouteLink>
  );
}
