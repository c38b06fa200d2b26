import { HttpClient, useResource, useService } from '#core/web';
import type { FollowingKind, ImportKindInfo, listFollowingKinds } from '../../contract/api.ts';
import type { FollowingImport, NewImport } from './import-uploads.ts';
import { useImportSession } from './use-import-session.ts';

/** The import that others follow. `site` is undefined until a site is chosen. */
export interface FollowedImport {
  readonly kind: string;
  readonly site: string | undefined;
  readonly mode: NewImport['mode'];
}

/** The kinds whose workbooks can be sent along with an import. `ImportDrafts` has the files chosen for them. */
export function useFollowingWorkbooks({ kind, site, mode }: FollowedImport, allKinds: readonly ImportKindInfo[]) {
  const http = useService(HttpClient);
  const { drafts } = useImportSession();
  const hasFollowingKinds = site !== undefined && allKinds.some(({ follows }) => follows === kind);
  const resource = useResource<readonly FollowingKind[]>(
    async (signal) =>
      hasFollowingKinds
        ? http.call<typeof listFollowingKinds>(
            'GET',
            '/api/imports/kinds/:kind/following',
            { params: { kind }, query: { site } },
            { signal },
          )
        : [],
    [http, kind, site, hasFollowingKinds],
  );
  const isRequired = ({ hasRows }: FollowingKind): boolean => mode === 'REPLACE' && hasRows;
  return {
    resource,
    isRequired,
    /** Whether a required workbook is not chosen, or it is not known yet whether one is required. */
    isRequiredMissing: (): boolean =>
      resource.value?.some(
        (followingKind) => isRequired(followingKind) && drafts.listFollowingFiles(followingKind.kind).length === 0,
      ) ?? true,
    isAnyChosen: (): boolean =>
      (resource.value ?? []).some((followingKind) => drafts.listFollowingFiles(followingKind.kind).length > 0),
    /** Moves the chosen files out of the drafts, into new imports that follow the one with this uid. */
    takeFollowingImports: (uid: string): readonly FollowingImport[] => {
      const chosenKinds = (resource.value ?? []).filter(
        (followingKind) => drafts.listFollowingFiles(followingKind.kind).length > 0,
      );
      return chosenKinds.map((chosenKind) => {
        const files = drafts.listFollowingFiles(chosenKind.kind);
        drafts.setFollowingFiles(chosenKind.kind, []);
        const newImport = { uid: crypto.randomUUID(), kind: chosenKind.kind, mode, follows: uid };
        return { import: site === undefined ? newImport : { ...newImport, site }, files };
      });
    },
  };
}
export type FollowingWorkbooks = ReturnType<typeof useFollowingWorkbooks>;
