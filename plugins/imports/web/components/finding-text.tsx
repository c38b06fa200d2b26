import { observer } from 'mobx-react-lite';
import { Suspense } from 'react';
import type { LocalizedError } from '#core';
import { I18n, PluginScope, useFormatRefusal, useService } from '#core/web';
import type { ImportColumnInfo } from '../../contract/api.ts';
import { formatFindingCodes } from '../../common/code-labels.ts';

/** Owners of messages that are loaded already: the core and this plugin. */
const loadedOwners: readonly string[] = ['core', 'imports'];

export interface FindingTextProps {
  readonly finding: LocalizedError;
  /** The column that the finding concerns. */
  readonly column: ImportColumnInfo | undefined;
}

/** The message of a finding in the person's language. Messages of the owner of the kind are loaded on demand. */
export const FindingText = observer(function FindingText({ finding, column }: FindingTextProps) {
  const { language } = useService(I18n);
  const entity = column?.entity?.[language];
  const labelledFinding = column ? formatFindingCodes(finding, column, language) : finding;
  const shownFinding =
    entity === undefined || finding.values?.['entity'] === undefined
      ? labelledFinding
      : { ...labelledFinding, values: { ...labelledFinding.values, entity } };
  const owner = finding.message.split('.')[0] ?? '';
  if (loadedOwners.includes(owner)) return <Sentence finding={shownFinding} />;
  return (
    <Suspense fallback={null}>
      <PluginScope plugin={owner}>
        <Sentence finding={shownFinding} />
      </PluginScope>
    </Suspense>
  );
});

function Sentence({ finding }: { readonly finding: LocalizedError }) {
  const formatRefusal = useFormatRefusal();
  return formatRefusal({ message: finding.message, refusal: finding });
}
