import { observer } from 'mobx-react-lite';
import { useEffect, useMemo, useRef } from 'react';
import { makeStyles, PageTitle, ResourceView } from '#core/ui';
import { HttpClient, I18n, Locations, RouteLink, useService, useText } from '#core/web';
import { importsAdmin, type ImportKindInfo } from '../../contract/index.ts';
import { resolveStep, isStepOpen, type ImportStep } from '../stores/import-steps.ts';
import { OpenImport } from '../stores/open-import.ts';
import { useFilterReset } from '../stores/use-filter-reset.ts';
import { useImportParams } from '../stores/use-import-params.ts';
import { useRefreshWhileRunning } from '../stores/use-refresh-while-running.ts';
import { FollowerList } from './follower-list.tsx';
import { StepBar } from './step-bar.tsx';
import { UploadCard } from './upload-card.tsx';
import { WorkbenchMessages } from './workbench-messages.tsx';
import { WorkbenchStep } from './workbench-step.tsx';
import { useImportSession } from '../stores/use-import-session.ts';

// Only code focuses this element, so it needs no focus ring.
const useStyles = makeStyles({ content: { outlineStyle: 'none' } });

export interface WorkbenchProps {
  readonly uid: string;
  readonly kinds: readonly ImportKindInfo[];
}

/** One import from its files to its result. The URL contains the step. Without a step, the current one is shown. */
export const Workbench = observer(function Workbench({ uid, kinds }: WorkbenchProps) {
  const t = useText();
  const styles = useStyles();
  const http = useService(HttpClient);
  const { language } = useService(I18n);
  const locations = useService(Locations);
  const params = useImportParams();
  const { uploads } = useImportSession();
  const openImport = useMemo(() => new OpenImport(http, uid), [http, uid]);
  const upload = uploads.find(uid);
  const isUploading = upload !== undefined;
  const sentFollowerCount = uploads.listFollowers(uid).length;
  useEffect(() => {
    void locations.load();
  }, [locations]);
  useEffect(() => {
    if (!isUploading) void openImport.load();
    return () => openImport.resource.dispose();
  }, [openImport, isUploading, sentFollowerCount]);
  useRefreshWhileRunning(openImport);
  const { value: loadedImport } = openImport;
  const kind = kinds.find(({ id }) => id === (upload?.import.kind ?? loadedImport?.kind));
  const site = locations.find(upload?.import.site ?? loadedImport?.site ?? '')?.name;
  const step = loadedImport && !upload ? resolveStep(params.get('step'), loadedImport) : 'files';
  useFilterReset(params, loadedImport, step);
  const content = useStepFocus(step);
  const title = kind === undefined ? t('imports.title') : t('imports.new.title', { kind: kind.title[language] });
  return (
    <>
      <PageTitle
        title={title}
        hint={[site, ...(loadedImport?.files.map(({ name }) => name) ?? [])].filter(Boolean).join(' · ')}
        actions={<RouteLink to={importsAdmin}>{t('imports.history')}</RouteLink>}
      />
      <StepBar
        step={step}
        isOpen={(each) => (loadedImport && !upload ? isStepOpen(each, loadedImport) : each === 'files')}
        onChoose={(each) => params.set({ step: each }, { push: true })}
      />
      <div ref={content} tabIndex={-1} className={styles.content}>
        {upload ? (
          <UploadCard upload={upload} kind={kind} />
        ) : (
          <ResourceView
            resource={openImport.resource}
            noAccessTo={{ title: t('imports.noAccess'), accessToRequest: 'import' }}
          >
            {(currentImport) => (
              <>
                <WorkbenchMessages openImport={openImport} currentImport={currentImport} kinds={kinds} />
                <FollowerList currentImport={currentImport} kinds={kinds} />
                <WorkbenchStep
                  openImport={openImport}
                  currentImport={currentImport}
                  kind={kind}
                  allKinds={kinds}
                  step={step}
                />
              </>
            )}
          </ResourceView>
        )}
      </div>
    </>
  );
});

/** Focuses the content of a new step if the focus was lost with the previous step, such as with a closed dialog. */
function useStepFocus(step: ImportStep) {
  const content = useRef<HTMLDivElement>(null);
  const shownStep = useRef(step);
  useEffect(() => {
    if (shownStep.current === step) return;
    shownStep.current = step;
    if (document.activeElement === document.body) content.current?.focus({ preventScroll: true });
  }, [step]);
  return content;
}
