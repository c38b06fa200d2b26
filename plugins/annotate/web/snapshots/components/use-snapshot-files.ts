import { useState } from 'react';
import type { LocationType } from '#core';
import { downloadFile, I18n, Locations, ProductInfo, useFormats, useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';
import { SnapshotStore } from '../stores/snapshot-store.ts';
import type { ListedSnapshot } from '../stores/snapshot-list.ts';

export interface SnapshotFiles {
  /** The file that is being created. */
  readonly fileInProgress: 'png' | 'pdf' | undefined;
  /** Whether the last file could not be created. */
  readonly failed: boolean;
  readonly savePng: () => void;
  readonly savePdf: () => void;
}

/** Creates the downloads of a snapshot, which are its picture and a printable sheet. */
export function useSnapshotFiles(snapshot: ListedSnapshot): SnapshotFiles {
  const t = useText();
  const formats = useFormats(snapshot.location);
  const snapshotStore = useService(SnapshotStore);
  const tourStore = useService(TourStore);
  const locations = useService(Locations);
  const product = useService(ProductInfo);
  const { language } = useService(I18n);
  const [fileInProgress, setFileInProgress] = useState<'png' | 'pdf'>();
  const [failed, setFailed] = useState(false);
  const { name, text, tagNumber, marks, node, location, author, createdAt } = snapshot;

  const saveFile = async (kind: 'png' | 'pdf', createContent: (picture: Blob) => Promise<Blob>): Promise<void> => {
    setFileInProgress(kind);
    setFailed(false);
    try {
      downloadFile(await createContent(await snapshotStore.list.loadPicture(snapshot)), toFileName(name, kind));
    } catch {
      setFailed(true);
    } finally {
      setFileInProgress(undefined);
    }
  };
  const createSheet = async (picture: Blob): Promise<Blob> => {
    const [{ createSnapshotSheet }, { CanvasPainter }, { readAccentColour }] = await Promise.all([
      import('./sheet/snapshot-sheet.ts'),
      import('./sheet/canvas-painter.ts'),
      import('./sheet/accent-colour.ts'),
    ]);
    const path = locations.pathTo(location);
    const findName = (type: LocationType): string =>
      path.findLast(({ locationType }) => locationType === type)?.name ?? '';
    // A large tour is opened without its far nodes.
    if (!tourStore.nodes.some(({ uid }) => uid === node)) await tourStore.loadAllNodes();
    const snapshotNode = tourStore.nodes.find(({ uid }) => uid === node);
    const bytes = await createSnapshotSheet(
      {
        language,
        product: product.title,
        sheetTitle: t('annotate.snapshot'),
        name,
        picture: new Uint8Array(await picture.arrayBuffer()),
        details: [
          { label: t('annotate.sheet.site'), value: findName('PRIMARY_LOCATION') },
          { label: t('annotate.sheet.unit'), value: findName('PLATFORM_UNIT') },
          { label: t('annotate.sheet.deck'), value: findName('LOC_LEVEL') },
          { label: t('annotate.sheet.place'), value: findName('LOC_GROUP') },
          { label: t('annotate.sheet.node'), value: snapshotNode?.name ?? '' },
          { label: t('annotate.sheet.tag'), value: tagNumber ?? '' },
          { label: t('annotate.sheet.taken'), value: `${formats.instant(createdAt)} (${formats.timeZone})` },
          { label: t('annotate.sheet.author'), value: author },
        ],
        remark: { label: t('annotate.remark'), text },
        marks: { label: t('annotate.sheet.marks'), rows: marks },
        link: {
          label: t('annotate.sheet.link'),
          url: snapshot.view === null ? '' : snapshotStore.formatUrl(snapshot),
        },
        formatPageNumber: (number, count) => t('annotate.sheet.page', { number, count }),
        accent: readAccentColour(),
        author,
        takenAt: new Date(createdAt),
      },
      new CanvasPainter(),
    );
    return new Blob([new Uint8Array(bytes)], { type: 'application/pdf' });
  };
  return {
    fileInProgress,
    failed,
    savePng: () =>
      void saveFile('png', async (picture) => (await import('./sheet/convert-to-png.ts')).convertToPng(picture)),
    savePdf: () => void saveFile('pdf', createSheet),
  };
}

/** Converts a name to a file name that is valid on every file system. */
const toFileName = (name: string, ending: string): string =>
  `${
    name
      .replaceAll(/[\p{Cc}\p{Cf}/\\:*?"<>|]+/gu, ' ')
      .trim()
      .slice(0, 100) || 'snapshot'
  }.${ending}`;
