import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Button, useRestoreFocusTarget } from '#core/ui';
import { ConfirmDialog, ImportCard, useAdminStyles, useSourceSystemFormatter } from '#core/ui-data';
import { HttpClient, useFormats, useFormatRefusal, useService, useText } from '#core/web';
import type { SourceSystem } from '#core/api';
import type { ScanDelivery, StationReport } from '../../../contract/api/admin.ts';
import type { deleteCloud } from '../../../contract/api/cloud.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { ViewpointsDialog } from './viewpoints-dialog.tsx';

interface DeliveryListProps {
  readonly deliveries: readonly ScanDelivery[];
  readonly getName: (location: string) => string;
  readonly onChanged: () => Promise<void>;
}

/** Lists the uploaded deliveries with the results of their imports. */
export const DeliveryList = observer(function DeliveryList({ deliveries, getName, onChanged }: DeliveryListProps) {
  const styles = useAdminStyles();
  return (
    <ul className={styles.list}>
      {deliveries.map((delivery) => (
        <li key={delivery.uid}>
          <Delivery delivery={delivery} locationName={getName(delivery.location)} onChanged={onChanged} />
        </li>
      ))}
    </ul>
  );
});

const Delivery = observer(function Delivery({
  delivery,
  locationName,
  onChanged,
}: {
  readonly delivery: ScanDelivery;
  readonly locationName: string;
  readonly onChanged: () => Promise<void>;
}) {
  const styles = useAdminStyles();
  const t = useText();
  const formatRefusal = useFormatRefusal();
  const formatter = useSourceSystemFormatter();
  const formats = useFormats(delivery.location);
  const http = useService(HttpClient);
  const opener = useRestoreFocusTarget();
  const [openDialog, setOpenDialog] = useState<'edit' | 'remove' | 'viewpoints'>();
  const { name, state, job, files, extent, capturedAt, kind, stations } = delivery;
  const titleId = `delivery-${delivery.uid}`;
  const systems = distinctSystems(files);
  const [commonSystem] = systems.length === 1 ? systems : [];
  const declaredCount = files.reduce((sum, { content }) => sum + (content?.declared ?? 0), 0);
  const readCount = files.reduce((sum, { content }) => sum + (content?.read ?? 0), 0);
  const describeFile = ({ name: file, bytes, content }: (typeof files)[number]): string =>
    [
      `${file} (${formats.bytes(bytes)})`,
      ...(commonSystem || !content
        ? []
        : formatter.toDetails(content.system).flatMap(([, value]) => (value === t('core.system.noName') ? [] : value))),
    ].join(', ');
  return (
    <ImportCard
      id={titleId}
      name={name}
      state={state}
      stateText={t(`scan.admin.state.${state}`)}
      actions={
        <>
          {stations.some(({ station }) => station !== null) ? (
            <Button
              {...opener}
              onClick={() => setOpenDialog('viewpoints')}
              disabled={job !== null}
              aria-describedby={titleId}
            >
              {t('scan.viewpoints.open')}
            </Button>
          ) : null}
          <Button {...opener} onClick={() => setOpenDialog('edit')} disabled={job !== null} aria-describedby={titleId}>
            {t('scan.admin.edit')}
          </Button>
          <Button {...opener} onClick={() => setOpenDialog('remove')} aria-describedby={titleId}>
            {t('scan.admin.remove')}
          </Button>
        </>
      }
      job={job}
      jobText={t('scan.admin.importing')}
      message={
        formatRefusal(delivery) ?? systems.map(formatter.findWarning).find((warning) => warning !== undefined) ?? null
      }
      details={[
        [t('scan.admin.at'), locationName],
        ...(capturedAt === null ? [] : [[t('scan.admin.captured'), formats.day(capturedAt)] as const]),
        ...(extent
          ? [
              [
                t('scan.admin.points'),
                readCount < declaredCount
                  ? t('scan.admin.pointsOf', { read: extent.points, declared: declaredCount })
                  : formats.number(extent.points),
              ] as const,
              [t('scan.admin.kind'), t(`scan.admin.kind.${kind}`)] as const,
            ]
          : []),
        ...files.map(
          (file, index) =>
            [t('scan.admin.file', { number: files.length === 1 ? 0 : index + 1 }), describeFile(file)] as const,
        ),
        ...(commonSystem ? formatter.toDetails(commonSystem) : []),
      ]}
      onChanged={onChanged}
    >
      {stations.length === 0 ? null : (
        <details>
          <summary className={styles.summary}>
            {t('scan.admin.report', {
              made: stations.filter(({ station }) => station !== null).length,
              all: stations.length,
            })}
          </summary>
          <ul className={styles.report}>
            {stations.map((scan, index) => (
              <li key={index}>
                <ScanOutcome scan={scan} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {openDialog === 'edit' ? (
        <DeliveryDialog delivery={delivery} onClose={() => setOpenDialog(undefined)} onSaved={onChanged} />
      ) : null}
      {openDialog === 'viewpoints' ? (
        <ViewpointsDialog delivery={delivery} onClose={() => setOpenDialog(undefined)} />
      ) : null}
      {openDialog === 'remove' ? (
        <ConfirmDialog
          title={t('scan.admin.removeDelivery', { name })}
          message={t('scan.admin.removeDeliveryHint')}
          action={t('scan.admin.remove')}
          onConfirm={async () => {
            await http.call<typeof deleteCloud>('DELETE', '/api/scan/:location/clouds/:uid', {
              params: { location: delivery.location, uid: delivery.uid },
            });
            void onChanged();
          }}
          onClose={() => setOpenDialog(undefined)}
        />
      ) : null}
    </ImportCard>
  );
});

function distinctSystems(files: ScanDelivery['files']): readonly SourceSystem[] {
  const systems = files.flatMap(({ content }) => (content ? [content.system] : []));
  return [...new Map(systems.map((system) => [JSON.stringify(system), system])).values()];
}

/** The outcome of one scan of a file. */
function ScanOutcome({ scan: { name, skipReason, pictureSource, tooFarPixels } }: { readonly scan: StationReport }) {
  const t = useText();
  const outcome = skipReason
    ? t(`scan.admin.skipReason.${skipReason}`)
    : t(`scan.admin.pictureSource.${pictureSource ?? 'RANGES'}`);
  return (
    <>
      <strong>{name}</strong>: {outcome}
      {tooFarPixels > 0 ? ` ${t('scan.admin.tooFar', { count: tooFarPixels })}` : ''}
    </>
  );
}
