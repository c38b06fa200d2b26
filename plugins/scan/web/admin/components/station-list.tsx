import { observer } from 'mobx-react-lite';
import { useMemo, useState } from 'react';
import { mandatory, maxLength } from '#core';
import { Badge, Button, Field, Input, Select, useForm, useRestoreFocusTarget } from '#core/ui';
import { ConfirmDialog, DescriptionList, FormDialog, PoseFields, useAdminStyles } from '#core/ui-data';
import { HttpClient, buildPoseRules, roundPose, useFormats, useService, useText } from '#core/web';
import { maxLinkMetres } from '../../../contract/values/station-links.ts';
import type { updateStation, ManagedStation, deleteStation } from '../../../contract/api/admin.ts';

interface NodeOption {
  readonly uid: string;
  readonly code: string;
  readonly name: string;
}

interface StationListProps {
  readonly stations: readonly ManagedStation[];
  /** Nodes to which a station can be linked. */
  readonly nodes: readonly NodeOption[];
  readonly getName: (location: string) => string;
  readonly onChanged: () => Promise<void>;
}

const pageSize = 60;
/** Option values that are not node uids. */
const nearestOption = ' nearest';
const noNodeOption = ' none';

/** Lists the scan stations. A button shows the next sixty. */
export const StationList = observer(function StationList({ stations, nodes, getName, onChanged }: StationListProps) {
  const styles = useAdminStyles();
  const t = useText();
  const http = useService(HttpClient);
  const [openDialog, setOpenDialog] = useState<{
    readonly action: 'edit' | 'remove';
    readonly station: ManagedStation;
  }>();
  const [visibleCount, setVisibleCount] = useState(pageSize);
  const close = (): void => setOpenDialog(undefined);
  return (
    <>
      <ul className={styles.list}>
        {stations.slice(0, visibleCount).map((station) => (
          <li key={station.uid}>
            <StationCard
              station={station}
              locationName={getName(station.location)}
              onOpen={(action) => setOpenDialog({ action, station })}
            />
          </li>
        ))}
      </ul>
      {stations.length > visibleCount ? (
        <Button style={{ marginTop: '16px' }} onClick={() => setVisibleCount(visibleCount + pageSize)}>
          {t('scan.admin.more', { count: stations.length - visibleCount })}
        </Button>
      ) : null}
      {openDialog?.action === 'edit' ? (
        <StationDialog station={openDialog.station} nodes={nodes} onClose={close} onSaved={onChanged} />
      ) : null}
      {openDialog?.action === 'remove' ? (
        <ConfirmDialog
          title={t('scan.admin.removeStation', { name: openDialog.station.name })}
          message={t('scan.admin.removeStationHint')}
          action={t('scan.admin.remove')}
          onConfirm={async () => {
            const { location, uid } = openDialog.station;
            await http.call<typeof deleteStation>('DELETE', '/api/scan/:location/stations/:uid', {
              params: { location, uid },
            });
            void onChanged();
          }}
          onClose={close}
        />
      ) : null}
    </>
  );
});

const StationCard = observer(function StationCard({
  station,
  locationName,
  onOpen,
}: {
  readonly station: ManagedStation;
  readonly locationName: string;
  readonly onOpen: (action: 'edit' | 'remove') => void;
}) {
  const styles = useAdminStyles();
  const t = useText();
  const { uid, name, location, position, heading, sigma, capturedAt, hasTiles, linkMode, node } = station;
  const formats = useFormats(location);
  const opener = useRestoreFocusTarget();
  const title = `station-${uid}`;
  return (
    <article className={styles.card} aria-labelledby={title}>
      <div className={styles.head}>
        <div className={styles.grow}>
          <h2 id={title} className={styles.name}>
            {name}
          </h2>
        </div>
        {hasTiles ? null : (
          <Badge appearance="tint" color="informative" size="large">
            {t('scan.admin.tiling')}
          </Badge>
        )}
        <div className={styles.actions}>
          <Button {...opener} onClick={() => onOpen('edit')} aria-describedby={title}>
            {t('scan.admin.edit')}
          </Button>
          <Button {...opener} onClick={() => onOpen('remove')} aria-describedby={title}>
            {t('scan.admin.remove')}
          </Button>
        </div>
      </div>
      <DescriptionList
        items={[
          [t('scan.admin.at'), locationName],
          [
            t('scan.admin.node'),
            node === null
              ? t('scan.admin.noNode')
              : t(`scan.admin.nodeValue.${linkMode}`, { name: node.name, metres: node.distanceMetres }),
          ],
          [t('scan.admin.position'), t('scan.admin.positionValue', { x: position[0], y: position[1], z: position[2] })],
          [t('scan.admin.looks'), t('scan.admin.degrees', { value: heading })],
          [t('scan.admin.sigma'), t('scan.admin.millimetres', { value: sigma * 1000 })],
          [t('scan.admin.captured'), formats.day(capturedAt)],
        ]}
      />
    </article>
  );
});

function StationDialog({
  station,
  nodes,
  onClose,
  onSaved,
}: {
  readonly station: ManagedStation;
  readonly nodes: readonly NodeOption[];
  readonly onClose: () => void;
  readonly onSaved: () => Promise<void>;
}) {
  const t = useText();
  const http = useService(HttpClient);
  const { name, location, uid } = station;
  const initial = useMemo(
    () => ({
      name: station.name,
      ...roundPose(station),
      node: station.linkMode === 'NEAREST' ? nearestOption : (station.node?.uid ?? noNodeOption),
    }),
    [station],
  );
  // The linked node is an option even if this person cannot access it.
  const nodeOptions =
    station.linkMode === 'CHOSEN' && station.node && !nodes.some((option) => option.uid === station.node?.uid)
      ? [station.node, ...nodes]
      : nodes;
  const form = useForm({
    initial,
    rules: { name: [mandatory, maxLength(120)], node: [], ...buildPoseRules('') },
    send: async ({ name: enteredName, node, ...pose }) => {
      const linkChange =
        node === nearestOption
          ? { linkMode: 'NEAREST' as const }
          : { linkMode: 'CHOSEN' as const, node: node === noNodeOption ? null : node };
      await http.call<typeof updateStation>('PUT', '/api/scan/:location/stations/:uid', {
        params: { location, uid },
        body: { name: enteredName.trim(), ...pose, ...linkChange },
      });
      onClose();
      void onSaved();
    },
  });
  return (
    <FormDialog
      title={t('scan.admin.editStation', { name })}
      action={t('scan.admin.save')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <Field label={t('scan.admin.name')} required {...form.field('name')}>
        <Input {...form.input('name')} />
      </Field>
      <Field label={t('scan.admin.node')} hint={t('scan.admin.nodeHint')} {...form.field('node')}>
        <Select {...form.input('node')}>
          <option value={nearestOption}>{t('scan.admin.nearestNode', { metres: maxLinkMetres })}</option>
          <option value={noNodeOption}>{t('scan.admin.noNode')}</option>
          {nodeOptions.map((option) => (
            <option key={option.uid} value={option.uid}>
              {t('scan.admin.nodeOption', { name: option.name, code: option.code })}
            </option>
          ))}
        </Select>
      </Field>
      <PoseFields input={form.number} field={form.field} hint={t('scan.admin.placeStationHint')} />
    </FormDialog>
  );
}
