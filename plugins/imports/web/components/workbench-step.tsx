import { observer } from 'mobx-react-lite';
import { EmptyState } from '#core/ui';
import { useText } from '#core/web';
import type { ImportKindInfo } from '../../contract/api.ts';
import type { ImportStep } from '../stores/import-steps.ts';
import { CheckStep } from './steps/check-step.tsx';
import { ColumnsStep } from './steps/columns-step.tsx';
import { DoneStep } from './steps/done-step.tsx';
import { FilesStep } from './steps/files-step.tsx';
import { PreviewStep } from './steps/preview-step.tsx';
import type { StepProps } from './steps/step-props.ts';

/** The chosen step of an import. If the product no longer has its kind, a message says so instead. */
export const WorkbenchStep = observer(function WorkbenchStep({
  kind,
  step,
  ...props
}: Omit<StepProps, 'kind'> & { readonly kind: ImportKindInfo | undefined; readonly step: ImportStep }) {
  const t = useText();
  if (kind === undefined)
    return (
      <EmptyState
        title={t('imports.kindGone')}
        message={t('imports.kindGoneHint', { kind: props.currentImport.kind })}
      />
    );
  switch (step) {
    case 'files':
      return <FilesStep {...props} kind={kind} />;
    case 'columns':
      return <ColumnsStep {...props} kind={kind} />;
    case 'check':
      return <CheckStep {...props} kind={kind} />;
    case 'preview':
      return <PreviewStep {...props} kind={kind} />;
    default:
      return <DoneStep {...props} kind={kind} />;
  }
});
