import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as xlsx from 'xlsx';
import type { ApiClient } from './api-client.ts';
import type { CustomerFile, CustomerFiles } from './customer-files.ts';
import { demoRoles } from '../../../core/server/auth/demo-accounts.ts';

const site = 'HB';

interface ImportReply {
  readonly phase: string;
  readonly job: string | null;
  readonly version: number;
  readonly refusal: { readonly message: string } | null;
  readonly sheets: readonly { readonly sheet: string; readonly withErrors: number }[];
}

const toBlob = ({ path }: CustomerFile, type = 'application/octet-stream'): Blob =>
  new Blob([readFileSync(path)], { type });

/** Sets up the demo plant in an empty product by calls of the API. */
export async function setUpByCalls(api: ApiClient, files: CustomerFiles): Promise<void> {
  const importKind = async (kind: string, scoped: boolean, moreFiles: readonly CustomerFile[] = []): Promise<void> => {
    const uid = randomUUID();
    const batch = `/api/imports/${uid}`;
    await api.call('POST', '/api/imports', { uid, kind, mode: 'UPSERT', ...(scoped ? { site } : {}) });
    const form = new FormData();
    for (const file of [files.workbook(kind), ...moreFiles]) form.append('files', toBlob(file), file.name);
    const settle = async (): Promise<ImportReply> => {
      const { job } = await api.call<ImportReply>('GET', batch);
      if (job !== null) await api.finish(job);
      return api.call<ImportReply>('GET', batch);
    };
    await api.call('POST', `${batch}/files`, form);
    const preview = await settle();
    if (preview.phase !== 'PREVIEW' || preview.sheets.some(({ withErrors }) => withErrors > 0))
      throw new Error(
        `The import of ${kind} has errors: ${JSON.stringify([preview, await api.call('GET', `${batch}/problems`)])}`,
      );
    await api.call('POST', `${batch}/apply`, { version: preview.version, remove: false, backup: false });
    const outcome = await settle();
    if (outcome.phase !== 'DONE') throw new Error(`The import of ${kind} was not written: ${JSON.stringify(outcome)}`);
  };

  await importKind('locations.locations', false, listPictures(files));
  for (const { uid, name, flags, locations } of demoRoles.slice(1))
    await api.call('POST', '/api/roles', {
      uid,
      name,
      flags,
      allLocations: locations === 'everywhere',
      locations: locations === 'everywhere' ? [] : [locations.locationType === 'PRIMARY_LOCATION' ? 'HB' : 'HB-M10'],
    });
  await importKind('masters.masters', false);
  await importKind('users.users', false);
  await importKind('tour.tags', true);
  await savePlans(api, files);
  await savePanoramas(api, files);
  await saveDocuments(api, files);
  await saveMarkers(api, files);
  await saveModels(api, files);
  await importKind('model-3d.mapping', true);
  for (const kind of ['permits.hac', 'permits.h2s', 'permits.permits', 'expense.expense', 'media.contacts'])
    await importKind(kind, true);
}

/** The location pictures, each with the file name that the locations workbook gives it. */
export function listPictures(files: CustomerFiles): readonly CustomerFile[] {
  const { Sheets } = xlsx.read(readFileSync(files.workbook('locations.locations').path));
  const rows = xlsx.utils.sheet_to_json<Record<string, string>>(Sheets['Locations'] ?? {});
  const pictures = files.json<readonly { readonly location: string; readonly kind: string; readonly file: string }[]>(
    'location-pictures/pictures.json',
  );
  return pictures.map(({ location, kind, file }) => {
    const row = rows.find((candidate) => candidate['Code*'] === location) ?? {};
    return {
      ...files.file(`location-pictures/${file}`),
      name: row[kind === 'icon' ? 'Icon File' : 'Navigation Image'] ?? file,
    };
  });
}

interface PlanOfDeck {
  readonly deck: string;
  readonly file: string;
  readonly placement: { readonly x: number; readonly y: number; readonly scale: number; readonly heading: number };
}
interface Content {
  readonly decks: readonly { readonly uid: string; readonly code: string; readonly version: number }[];
  readonly nodes: readonly { readonly uid: string; readonly code: string }[];
}

const getContent = (api: ApiClient): Promise<Content> => api.call<Content>('GET', `/api/tour-content/${site}`);

async function savePlans(api: ApiClient, files: CustomerFiles): Promise<void> {
  for (const { deck, file, placement } of files.json<readonly PlanOfDeck[]>('plans/plans.json')) {
    const findDeck = async () => (await getContent(api)).decks.find(({ code }) => code === deck)!;
    const { uid, version } = await findDeck();
    const form = new FormData();
    form.append('file', toBlob(files.file(`plans/${file}`), 'image/jpeg'), file);
    await api.call('POST', `/api/tour-content/${site}/decks/${uid}/plan?version=${version}`, form);
    await api.call('PUT', `/api/tour-content/${site}/decks/${uid}/placement`, {
      version: (await findDeck()).version,
      centre: [placement.x, placement.y],
      scale: placement.scale,
      heading: placement.heading,
    });
  }
}

export interface PanoramaOfViewpoint {
  readonly viewpoint: string;
  readonly capturedAt: string;
  readonly heading: number;
  readonly picture: string;
}

async function savePanoramas(api: ApiClient, files: CustomerFiles): Promise<void> {
  for (const { viewpoint, capturedAt, heading, picture } of files.json<readonly PanoramaOfViewpoint[]>(
    'panoramas/panoramas.json',
  )) {
    const form = new FormData();
    form.append('files', toBlob(files.file(`panoramas/${picture}`), 'image/jpeg'), `${viewpoint}.jpg`);
    const query = new URLSearchParams({ capturedAt, heading: String(heading) });
    const { jobs } = await api.call<{ readonly jobs: readonly string[] }>(
      'POST',
      `/api/tour/${site}/panoramas?${query}`,
      form,
    );
    for (const job of jobs) await api.finish(job);
  }
}

export interface DocumentOfSite {
  readonly code: string;
  readonly title: string;
  readonly location: string;
  readonly revisions: readonly {
    readonly revision: string;
    readonly status: string;
    readonly issuedOn: string;
    readonly file: string;
    readonly name: string;
  }[];
  readonly tags: readonly string[];
}

async function saveDocuments(api: ApiClient, files: CustomerFiles): Promise<void> {
  for (const { code, title, location, revisions, tags } of files.json<readonly DocumentOfSite[]>(
    'documents/documents.json',
  )) {
    const uid = randomUUID();
    await api.call('POST', `/api/document-content/${site}/documents`, { uid, code, title, location });
    for (const { revision, status, issuedOn, file, name } of revisions) {
      const form = new FormData();
      form.append('file', toBlob(files.file(`documents/${file}`), 'application/pdf'), name);
      const query = new URLSearchParams({ revision, status, issuedOn });
      await api.call('POST', `/api/document-content/${site}/documents/${uid}/revisions?${query}`, form);
    }
    for (const number of tags) {
      const { rows } = await api.call<{ readonly rows: readonly { readonly uid: string; readonly number: string }[] }>(
        'GET',
        `/api/tag-content/${site}?text=${encodeURIComponent(number)}`,
      );
      const tag = rows.find((row) => row.number === number)!;
      await api.call('POST', `/api/document-content/${site}/links`, {
        saved: [{ document: uid, tag: tag.uid }],
        removed: [],
      });
    }
  }
}

interface MarkerOfSite {
  readonly uid: string;
  readonly location: string;
  readonly kind: string;
  readonly shape: string;
  readonly name: string;
  readonly text: string;
  readonly points: readonly (readonly number[])[];
  /** Number of a tag, or code of a viewpoint. */
  readonly target: string | null;
  readonly document: { readonly file: string; readonly name: string } | null;
}

async function saveMarkers(api: ApiClient, files: CustomerFiles): Promise<void> {
  const { nodes } = await getContent(api);
  for (const { uid, location, kind, shape, name, text, points, target, document } of files.json<
    readonly MarkerOfSite[]
  >('markers/markers.json')) {
    const form = new FormData();
    if (document) form.append('file', toBlob(files.file(`markers/${document.file}`), 'application/pdf'), document.name);
    const file = document
      ? await api.call<{ readonly id: string }>('POST', `/api/vr/${location}/documents`, form)
      : undefined;
    await api.call('PUT', `/api/vr/${location}/markers/${uid}`, {
      kind,
      shape,
      name,
      text,
      points,
      target: kind === 'HOTSPOT' ? nodes.find(({ code }) => code === target)!.uid : target,
      file: file?.id ?? null,
      version: 0,
    });
  }
}

export interface ModelOfSite {
  readonly name: string;
  readonly location: string;
  readonly file: string;
  readonly pose: object;
}

async function saveModels(api: ApiClient, files: CustomerFiles): Promise<void> {
  for (const { name, location, file, pose } of files.json<readonly ModelOfSite[]>('models/models.json')) {
    const form = new FormData();
    form.append('name', name);
    form.append('unit', 'FILE');
    form.append('pose', JSON.stringify(pose));
    form.append('file', toBlob(files.file(`models/${file}`), 'model/gltf-binary'), 'plant.glb');
    const { job } = await api.call<{ readonly job: string }>('POST', `/api/model-3d/${location}/models`, form);
    await api.finish(job);
  }
}
