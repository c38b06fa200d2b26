import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Combobox, Option } from '#core/ui-data';
import { useText } from '#core/web';
import type { BatchFile } from '../../stores/batch/batch-file.ts';
import type { PanoramaBatch } from '../../stores/batch/panorama-batch.ts';

export interface ViewpointComboboxProps {
  readonly batch: PanoramaBatch;
  readonly batchFile: BatchFile;
  readonly tabIndex: 0 | -1;
}

/** The list shows only the first matches. Other viewpoints are found by typing more. */
const maxOptions = 40;

/** Chooses the viewpoint of a file, from a list or by typing a part of its code or name. */
export const ViewpointCombobox = observer(function ViewpointCombobox({
  batch,
  batchFile,
  tabIndex,
}: ViewpointComboboxProps) {
  const t = useText();
  const [text, setText] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const { assignment } = batchFile;
  const assignedNode = assignment && batch.nodes.find(({ node: nodeUid }) => nodeUid === assignment.nodeUid);
  const searchText = text?.trim().toLowerCase() ?? '';
  const options = isOpen
    ? batch.nodes
        .filter(({ code, name }) => code.toLowerCase().includes(searchText) || name.toLowerCase().includes(searchText))
        .slice(0, maxOptions)
    : [];
  return (
    <Combobox
      size="small"
      style={{ minWidth: 0, width: '100%' }}
      aria-label={t('tour.batch.viewpointOf', { name: batchFile.file.name })}
      input={{ tabIndex, style: { minWidth: 0 } }}
      disabled={batchFile.isSent || batchFile.uploadState === 'SENDING'}
      clearable
      open={isOpen}
      value={text ?? assignedNode?.code ?? ''}
      selectedOptions={assignment ? [assignment.nodeUid] : []}
      placeholder={t('tour.batch.choose')}
      onOpenChange={(_, { open }) => setOpen(open)}
      onChange={({ target }) => setText(target.value)}
      onBlur={() => setText(undefined)}
      onOptionSelect={(_, { optionValue }) => {
        setText(undefined);
        batchFile.assign(optionValue === undefined ? undefined : { nodeUid: optionValue, reason: 'CHOSEN' });
      }}
    >
      {options.map(({ node: nodeUid, code, name }) => (
        <Option key={nodeUid} value={nodeUid} text={code}>
          {t('tour.content.codeAndName', { code, name })}
        </Option>
      ))}
      {isOpen && options.length === 0 ? (
        <Option disabled value="" text="">
          {t('tour.noResult')}
        </Option>
      ) : null}
    </Combobox>
  );
});
