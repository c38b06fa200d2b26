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

/** Typing pauses for so long before the rules are tried. */
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

/** The rules of a model with what they find. Nothing is saved. */
export const RulesTrial = observer(function RulesTrial({ store, busy, actions }: RulesTrialProps) {
  const adminStyles = useAdminStyles();
  const styles = useStyles();
  const t = useText();
  const formats = useFormats();
  const http = useService(HttpClient);
  const [state, setState] = useState<TrialState>('UNMATCHED');
  const [text, setText] = useState('');
  const request = useLater(JSON.stringify({ rules: store.rules, state, text }), trialDelayMs);
  const { location, uid: model } = store.model;
  const rows = usePagedResource(
    (page, signal) =>
      http.call<typeof tryTagRules>(
        'POST',
        '/api/model-3d/:location/models/:model/tag-rules/trial',
        { params: { location, model }, body: { ...(JSON.parse(request) as TrialRequest), ...page } },
        { signal },
      ),
    [http, request, location, model],
    model,
  );
  const { placements } = store;
  useEffect(() => {
    if (placements > 0) void rows.load();
  }, [rows, placements]);
  const counts = rows.value?.counts;
  const show = (count: number): string => formats.number(count);
  return (
    <>
      <RuleList
        rules={store.rules}
        paths={store.resource.value?.paths ?? []}
        found={counts?.byRule}
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
                objects: show(currentCounts.objects),
                matched: show(currentCounts.MATCHED),
                byNumber: show(currentCounts.byNumber),
                byParent: show(currentCounts.byParent),
                manual: show(currentCounts.manual),
              })}
            </p>
            <div className={styles.filters}>
              <Field label={t('model-3d.mapping.state')} className={styles.field}>
                <Select
                  value={state}
                  onChange={(_, { value }) => setState(trialStates.find((each) => each === value) ?? state)}
                >
                  {trialStates.map((option) => (
                    <option key={option} value={option}>
                      {`${t(`model-3d.rules.state.${option}`)} (${show(currentCounts[option])})`}
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

/** The value, once it has not changed for some time. */
function useLater<T>(value: T, delayMs: number): T {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return later;
}
