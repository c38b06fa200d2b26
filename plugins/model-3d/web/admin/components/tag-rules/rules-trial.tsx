import { observer } from 'mobx-react-lite';
import { useEffect, useState, type ReactNode } from 'react';
import type { RequestOf } from '#core';
import { Field, makeStyles, ResourceView, SearchBox, Select } from '#core/ui';
import { useAdminStyles, usePagedResource } from '#core/ui-data';
import { HttpClient, useFormats, useService, useText } from '#core/web';
import type { tryTagRules } from '../../../../contract/api/tag-rules.ts';
import { trialStates, type TrialState } from '../../../../contract/values/tag-rules.ts';
import type { TagRulesStore } from '../../stores/tag-rules-store.ts';
import { RuleList } from './rule-list.tsx';
import { TrialTable } from './trial-table.tsx';

/** The rules are tried once typing has paused for this time. */
const trialDelayMs = 400;

const useStyles = makeStyles({
  filters: { display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: '16px' },
  field: { flexGrow: 1, flexBasis: '240px', minWidth: 0, maxWidth: '420px', gridTemplateColumns: 'minmax(0, 1fr)' },
  search: { width: '100%', maxWidth: 'none' },
});

export interface RulesTrialProps {
  readonly store: TagRulesStore;
  readonly busy: boolean;
  /** Buttons below the rules. */
  readonly actions: ReactNode;
}

/** Edits rules and shows what they find. Saves nothing. */
export const RulesTrial = observer(function RulesTrial({ store, busy, actions }: RulesTrialProps) {
  const adminStyles = useAdminStyles();
  const styles = useStyles();
  const t = useText();
  const formats = useFormats();
  const http = useService(HttpClient);
  const [state, setState] = useState<TrialState>('UNMATCHED');
  const [text, setText] = useState('');
  const requestJson = useDebounced(JSON.stringify({ rules: store.rules, state, text }), trialDelayMs);
  const { location, uid: model } = store.model;
  const rows = usePagedResource(
    (page, signal) =>
      http.call<typeof tryTagRules>(
        'POST',
        '/api/model-3d/:location/models/:model/tag-rules/trial',
        { params: { location, model }, body: { ...(JSON.parse(requestJson) as TrialRequest), ...page } },
        { signal },
      ),
    [http, requestJson, location, model],
    model,
  );
  const { placementCount } = store;
  useEffect(() => {
    if (placementCount > 0) void rows.load();
  }, [rows, placementCount]);
  const counts = rows.value?.counts;
  const formatCount = (count: number): string => formats.number(count);
  return (
    <>
      <RuleList
        rules={store.rules}
        paths={store.resource.value?.paths ?? []}
        foundCounts={counts?.byRule}
        disabled={busy}
        onChange={(rules) => store.edit(rules)}
      />
      {actions}
      <h2 className={adminStyles.name}>{t('model-3d.rules.trial')}</h2>
      <ResourceView resource={rows}>
        {({ counts: currentCounts }) => (
          <>
            <p role="status" className={adminStyles.note}>
              {t('model-3d.rules.summary', {
                objects: formatCount(currentCounts.objects),
                matched: formatCount(currentCounts.MATCHED),
                byNumber: formatCount(currentCounts.byNumber),
                byParent: formatCount(currentCounts.byParent),
                manual: formatCount(currentCounts.manual),
              })}
            </p>
            <div className={styles.filters}>
              <Field label={t('model-3d.mapping.state')} className={styles.field}>
                <Select
                  value={state}
                  onChange={(_, { value }) => setState(trialStates.find((trialState) => trialState === value) ?? state)}
                >
                  {trialStates.map((option) => (
                    <option key={option} value={option}>
                      {`${t(`model-3d.rules.state.${option}`)} (${formatCount(currentCounts[option])})`}
                    </option>
                  ))}
                </Select>
              </Field>
              <Field label={t('model-3d.mapping.search')} className={styles.field}>
                <SearchBox className={styles.search} value={text} onChange={(_, { value }) => setText(value)} />
              </Field>
            </div>
            <TrialTable rows={rows} />
          </>
        )}
      </ResourceView>
    </>
  );
});

type TrialRequest = Pick<RequestOf<typeof tryTagRules>['body'], 'rules' | 'state' | 'text'>;

/** Returns the value once it has not changed for `delayMs`. */
function useDebounced<T>(value: T, delayMs: number): T {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return debounced;
}
