import { observer } from 'mobx-react-lite';
import { matchPath, useLocation } from 'react-router-dom';
import { ResourceView } from '#core/ui';
import { HttpClient, useResource, useService, useAppComponents, useText } from '#core/web';
import { importsAdmin, importWorkbench, kindPages } from '../../contract/index.ts';
import type { ImportKindInfo, listImportKinds } from '../../contract/api.ts';
import { ImportHistory } from '../components/history/import-history.tsx';
import { NewImportForm } from '../components/new-import-form.tsx';
import { SiteExports } from '../components/site-exports.tsx';
import { Workbench } from '../components/workbench.tsx';
import { siteExportsPathSegment } from '../stores/site-exports-path-segment.ts';

/** The history of imports, the form of a new one, the workbench of one, or the page of site exports. */
const ImportsScreen = observer(function ImportsScreen() {
  const t = useText();
  const http = useService(HttpClient);
  const kinds = useResource(
    (signal) => http.call<typeof listImportKinds>('GET', '/api/imports/kinds', {}, { signal }),
    [http],
  );
  return (
    <ResourceView resource={kinds} noAccessTo={{ title: t('imports.noAccess'), accessToRequest: 'import' }}>
      {(value) => <ImportsPage kinds={value} />}
    </ResourceView>
  );
});
export default ImportsScreen;

function ImportsPage({ kinds }: { readonly kinds: readonly ImportKindInfo[] }) {
  const { pathname } = useLocation();
  const components = useAppComponents();
  if (matchPath(`/${importsAdmin.path}`, pathname)) return <ImportHistory kinds={kinds} />;
  const batch = matchPath(`/${importWorkbench.path}`, pathname)?.params.batch;
  if (batch === siteExportsPathSegment) return <SiteExports />;
  if (batch !== undefined && batch !== 'new') return <Workbench key={batch} uid={batch} kinds={kinds} />;
  const pageKinds = batch === 'new' ? kinds : kinds.filter(({ id }) => isOnPage(id, pathname));
  return pageKinds.length === 0 ? <components.notFound /> : <NewImportForm kinds={pageKinds} allKinds={kinds} />;
}

/** A page named `user` is for the kinds of the plugin `user` or `users`. */
function isOnPage(kind: string, pathname: string): boolean {
  const page = kindPages.find(({ path }) => matchPath(`/${path}`, pathname))?.id.replace('imports.', '');
  const owner = kind.split('.')[0];
  return owner === page || owner === `${page}s`;
}
