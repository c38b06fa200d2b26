import { sql } from 'kysely';
import { atLocation, type ServerContext, type SiteExport } from '#core/server';
import { Tours } from '#plugins/tour';
import { loadAuthorNames } from '../queries/authors.ts';
import type { AnnotateTables } from '../tables.ts';
import type { ExportedItems } from './item-record.ts';

type Context = ServerContext<AnnotateTables>;

/** Loads the shared items with a constant number of queries, and adds the pictures of snapshots to the export. */
export async function collectSharedItems(context: Context, siteExport: SiteExport): Promise<ExportedItems> {
  const { tables, service } = context;
  const isShared = sql<boolean>`shared and ${atLocation('location', siteExport.locations)}`;
  const rows = {
    measurements: await tables.selectFrom('measurement').selectAll().where(isShared).orderBy('uid').execute(),
    annotations: await tables.selectFrom('annotation').selectAll().where(isShared).orderBy('uid').execute(),
    snapshots: await tables.selectFrom('snapshot').selectAll().where(isShared).orderBy('uid').execute(),
  };
  const annotationUids = rows.annotations.map(({ uid }) => uid);
  const comments =
    annotationUids.length === 0
      ? []
      : await tables
          .selectFrom('annotation_comment')
          .selectAll()
          .where(sql<boolean>`annotation = any(${annotationUids}::uuid[])`)
          .orderBy('created_at')
          .execute();
  const nodeCodes = new Map((await service(Tours).nodesAt(siteExport.site)).map(({ uid, code }) => [uid, code]));
  const tagNumbers = await service(Tours).tagNumbers(
    rows.snapshots.flatMap(({ tag }) => tag ?? []),
    siteExport.locations,
  );
  const commentsByAnnotation = new Map(annotationUids.map((uid) => [uid, [] as typeof comments]));
  for (const comment of comments) commentsByAnnotation.get(comment.annotation)?.push(comment);
  const findAuthor = await loadAuthorNames(context, [...Object.values(rows).flat(), ...comments]);
  const toCommonFields = (row: (typeof rows)[keyof typeof rows][number]) => ({
    uid: row.uid,
    location: row.location,
    name: row.name,
    view: row.view,
    viewpoint: nodeCodes.get(row.node ?? '') ?? null,
    author: findAuthor(row),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  });
  const snapshots: ExportedItems['snapshots'] = [];
  for (const row of rows.snapshots) {
    const pictures = row.picture === null ? undefined : await addPictures(context, siteExport, row.uid, row.picture);
    if (pictures)
      snapshots.push({
        ...toCommonFields(row),
        ...pictures,
        text: row.text,
        marks: row.marks,
        tag: tagNumbers.get(row.tag ?? '') ?? null,
      });
  }
  return {
    measurements: rows.measurements.map((row) => ({
      ...toCommonFields(row),
      kind: row.kind,
      points: row.points,
      result: row.result,
      unit: row.unit,
    })),
    annotations: rows.annotations.map((row) => ({
      ...toCommonFields(row),
      kind: row.kind,
      text: row.text,
      temperature: row.temperature,
      status: row.status,
      points: row.points,
      comments: (commentsByAnnotation.get(row.uid) ?? []).map((comment) => ({
        uid: comment.uid,
        text: comment.text,
        author: findAuthor(comment),
        createdAt: comment.created_at.toISOString(),
      })),
    })),
    snapshots,
  };
}

async function addPictures(
  { files }: Context,
  siteExport: SiteExport,
  uid: string,
  folder: string,
): Promise<{ readonly picture: string; readonly thumbnail: string } | undefined> {
  if ((await files.listEntries(folder)).length < 2) return undefined;
  const add = async (pictureName: 'picture' | 'thumbnail'): Promise<string> =>
    siteExport.add(`${uid}/${pictureName}.jpg`, await files.read(folder, undefined, `${pictureName}.jpg`));
  return { picture: await add('picture'), thumbnail: await add('thumbnail') };
}
