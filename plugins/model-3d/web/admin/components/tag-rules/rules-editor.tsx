import { observer } from 'mobx-react-lite';
import { useEffect, useMemo, useState } from 'react';
import { Button, MessageBar, MessageBarBody, ProgressBar, Field, ResourceView } from '#core/ui';
import { useAdminStyles, type LastChangeStore } from '#core/ui-data';
import {
  followChanges,
  HttpClient,
  ServerEvents,
  useFormatFailure,
  useFormatRefusal,
  useService,
  useText,
  useUnsavedWork,
} from '#core/web';
import type { tagRulesApplied } from '../../../../contract/events.ts';
import type { Model } from '../../../../contract/index.ts';
import { TagRulesStore } from '../../stores/tag-rules-store.ts';
import { RulesTrial } from './rules-trial.tsx';

interface RulesEditorProps {
  readonly model: Pick<Model, 'uid' | 'name' | 'location'>;
  readonly lastChange: LastChangeStore;
}

/** Edits, tries, saves and applies the tag rules of a model. */
export const RulesEditor = observer(function RulesEditor({ model, lastChange }: RulesEditorProps) {
  const styles = useAdminStyles();
  const t = useText();
  const http = useService(HttpClient);
  const events = useService(ServerEvents);
  const store = useMemo(() => new TagRulesStore(http, lastChange, model), [http, lastChange, model]);
  const { run, busy, failure } = useAction();
  useEffect(() => {
    const load = () => store.load();
    const unfollow = followChanges<typeof tagRulesApplied>(events, 'model-3d.tagRulesApplied', {
      onChanges: async (changes) => {
        if (changes.some((change) => change.model === store.model.uid)) await load();
      },
      onMissed: load,
    });
    void load();
    return unfollow;
  }, [events, store]);
  useUnsavedWork(store.edited !== undefined, 'model-3d.rules');
  const { theirs, isProposal, edited } = store;
  return (
    <ResourceView resource={store.resource} noAccessTo="tools">
      {({ job, failure: jobFailure }) => (
        <div className={styles.form}>
          {theirs === undefined ? null : (
            <MessageBar intent="warning" layout="multiline">
              <MessageBarBody>{t('model-3d.rules.conflict', { count: theirs.rules.length })}</MessageBarBody>
            </MessageBar>
          )}
          {isProposal ? (
            <MessageBar intent="info" layout="multiline">
              <MessageBarBody>{t('model-3d.rules.proposed')}</MessageBarBody>
            </MessageBar>
          ) : null}
          {jobFailure === null ? null : <JobFailure failure={jobFailure} />}
          {job === null ? null : (
            <Field label={t('model-3d.rules.applying')}>
              <ProgressBar {...(job.total === null || job.total === 0 ? {} : { value: job.done / job.total })} />
            </Field>
          )}
          <RulesTrial
            store={store}
            busy={busy}
            actions={
              <>
                <div role="alert">{failure === undefined ? null : <Failure failure={failure} />}</div>
                <div className={styles.actions}>
                  <Button appearance="primary" disabledFocusable={busy} onClick={() => run(() => store.save())}>
                    {t(
                      theirs
                        ? 'model-3d.rules.saveMine'
                        : edited || isProposal
                          ? 'model-3d.rules.save'
                          : 'model-3d.rules.again',
                    )}
                  </Button>
                  {edited === undefined ? null : (
                    <Button disabledFocusable={busy} onClick={() => run(() => discard(store))}>
                      {t('model-3d.rules.discard')}
                    </Button>
                  )}
                </div>
              </>
            }
          />
          <TagPositions
            store={store}
            busy={busy || edited !== undefined || job !== null}
            onPlace={() => run(() => store.placeTags())}
          />
        </div>
      )}
    </ResourceView>
  );
});

async function discard(store: TagRulesStore): Promise<void> {
  await store.load();
  store.discard();
}

/** Runs one action at a time. */
function useAction() {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const run = (action: () => Promise<void>): void => {
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    action()
      .catch(setFailure)
      .finally(() => setBusy(false));
  };
  return { run, busy, failure };
}

function Failure({ failure }: { readonly failure: unknown }) {
  const formatFailure = useFormatFailure();
  return (
    <MessageBar intent="error" layout="multiline">
      <MessageBarBody>{formatFailure(failure)}</MessageBarBody>
    </MessageBar>
  );
}

function JobFailure({
  failure,
}: {
  readonly failure: NonNullable<NonNullable<TagRulesStore['resource']['value']>['failure']>;
}) {
  const t = useText();
  const formatRefusal = useFormatRefusal();
  return (
    <MessageBar intent="error" layout="multiline">
      <MessageBarBody>{t('model-3d.rules.failed', { reason: formatRefusal(failure) ?? '' })}</MessageBarBody>
    </MessageBar>
  );
}

interface TagPositionsProps {
  readonly store: TagRulesStore;
  readonly busy: boolean;
  readonly onPlace: () => void;
}

/** Offers to place tags without a position at the centres of their objects. */
const TagPositions = observer(function Positions({ store, busy, onPlace }: TagPositionsProps) {
  const styles = useAdminStyles();
  const t = useText();
  const { placeable = 0, several = 0 } = store.positions.value ?? {};
  if (placeable + several === 0) return null;
  return (
    <section className={styles.card} aria-label={t('model-3d.rules.positions')}>
      <h2 className={styles.name}>{t('model-3d.rules.positions')}</h2>
      <p className={styles.note}>
        {t('model-3d.rules.placeable', { count: placeable })}
        {several === 0 ? '' : ` ${t('model-3d.rules.placeableNot', { count: several })}`}
      </p>
      {placeable === 0 ? null : (
        <div>
          <Button disabledFocusable={busy} onClick={onPlace}>
            {t('model-3d.rules.place', { count: placeable })}
          </Button>
        </div>
      )}
    </section>
  );
});
