import { observer } from 'mobx-react-lite';
import { useMemo } from 'react';
import type { AccessRequest } from '#core/api';
import { Badge, Button, EmptyState, makeStyles, tokens, useRestoreFocusTarget } from '#core/ui';
import { DataTable, type DataColumn, type PagedRows } from '#core/ui-data';
import { Locations, useFormats, useService, useText } from '#core/web';

const useStyles = makeStyles({
  truncated: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0 },
  second: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200, minWidth: 0 },
  actions: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalXS },
});

const colours = { OPEN: 'warning', GRANTED: 'success', DECLINED: 'informative' } as const;

export interface RequestTableProps {
  readonly rows: PagedRows<AccessRequest>;
  readonly onGrant: (request: AccessRequest) => void;
  readonly onDecline: (request: AccessRequest) => void;
  readonly onExplain: (request: AccessRequest) => void;
}

export const RequestTable = observer(function RequestTable({ rows, onGrant, onDecline, onExplain }: RequestTableProps) {
  const t = useText();
  const columns = useMemo(
    (): readonly DataColumn<AccessRequest>[] => [
      {
        id: 'person',
        title: t('roles.person'),
        width: 'minmax(0, 1.2fr)',
        cell: ({ person }) => <TwoLines first={person.name} second={person.username} />,
      },
      {
        id: 'access',
        title: t('roles.wanted'),
        width: 'minmax(0, 1.2fr)',
        cell: (request) => <RequestedAccess request={request} />,
      },
      {
        id: 'reason',
        title: t('roles.requestReason'),
        width: 'minmax(0, 2fr)',
        cell: (request) => <Reason request={request} />,
      },
      {
        id: 'status',
        title: t('roles.statusTitle'),
        width: '112px',
        cell: ({ status }) => (
          <Badge appearance="tint" color={colours[status]}>
            {t(`roles.requestStatus.${status}`)}
          </Badge>
        ),
      },
      {
        id: 'actions',
        title: t('roles.actions'),
        titleHidden: true,
        width: '264px',
        cell: (request, tabIndex) => (
          <Actions
            request={request}
            tabIndex={tabIndex}
            onGrant={onGrant}
            onDecline={onDecline}
            onExplain={onExplain}
          />
        ),
      },
    ],
    [t, onGrant, onDecline, onExplain],
  );
  return (
    <DataTable
      label={t('roles.requests')}
      rows={rows}
      columns={columns}
      rowHeightPx={56}
      narrow={{ belowPx: 900, rowHeightPx: 232 }}
      empty={<EmptyState title={t('roles.noRequests')} message={t('roles.noRequestsHint')} />}
    />
  );
});

function TwoLines({ first, second }: { readonly first: string; readonly second: string }) {
  const styles = useStyles();
  return (
    <>
      <div className={styles.truncated} title={first}>
        {first}
      </div>
      <div className={styles.second}>
        <div className={styles.truncated} title={second}>
          {second}
        </div>
      </div>
    </>
  );
}

const RequestedAccess = observer(function RequestedAccess({
  request: { feature, location },
}: {
  readonly request: AccessRequest;
}) {
  const t = useText();
  const locations = useService(Locations);
  return (
    <TwoLines
      first={t(`roles.subject.${feature}`)}
      second={location === null ? '' : (locations.find(location)?.name ?? location)}
    />
  );
});

const Reason = observer(function Reason({ request }: { readonly request: AccessRequest }) {
  const t = useText();
  const formats = useFormats();
  const { reason, status, createdAt, answeredAt, answeredBy, role, answer } = request;
  const second =
    status === 'OPEN' || answeredAt === null
      ? formats.instant(createdAt)
      : t('roles.answered', {
          at: formats.instant(answeredAt),
          name: answeredBy ?? '',
          what: status === 'GRANTED' ? (role ?? '') : (answer ?? ''),
        });
  return <TwoLines first={reason} second={second} />;
});

interface ActionsProps extends Pick<RequestTableProps, 'onGrant' | 'onDecline' | 'onExplain'> {
  readonly request: AccessRequest;
  readonly tabIndex: 0 | -1;
}

function Actions({ request, tabIndex, onGrant, onDecline, onExplain }: ActionsProps) {
  const t = useText();
  const styles = useStyles();
  const opener = useRestoreFocusTarget();
  const { name } = request.person;
  return (
    <div className={styles.actions}>
      {request.status === 'OPEN' ? (
        <>
          <Button
            {...opener}
            tabIndex={tabIndex}
            size="small"
            appearance="primary"
            onClick={() => onGrant(request)}
            aria-label={t('roles.grantOf', { name })}
          >
            {t('roles.grant')}
          </Button>
          <Button
            {...opener}
            tabIndex={tabIndex}
            size="small"
            onClick={() => onDecline(request)}
            aria-label={t('roles.declineOf', { name })}
          >
            {t('roles.decline')}
          </Button>
        </>
      ) : null}
      <Button
        tabIndex={tabIndex}
        size="small"
        appearance="subtle"
        onClick={() => onExplain(request)}
        aria-label={t('roles.explainOf', { name })}
      >
        {t('roles.explain')}
      </Button>
    </div>
  );
}
