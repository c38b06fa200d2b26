import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Combobox, Option } from '#core/ui-data';
import { useText } from '#core/web';
import type { BatchFile } from '../../stores/batch/batch-file.ts';
import type { PanoramaBatch } from '../../stores/batch/panorama-batch.ts';

export interface ViewpointComboboxProps {
  readonly batch: PanoramaBatch;
  readonly row: BatchFile;
  readonly tabIndex: 0 | -1;
}

/** More are found by typing. */
const maxOptions = 40;

/** Chooses the viewpoint of a file, from a list or by typing a part of its code or name. */
export const ViewpointCombobox = observer(function ViewpointCombobox({ batch, row, tabIndex }: ViewpointComboboxProps) {
  const t = useText();
  const [text, setText] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const { match } = row;
  const chosen = match && batch.nodes.find(({ node }) => node === match.node);
  const wanted = text?.trim().toLowerCase() ?? '';
  const options = isOpen
    ? batch.nodes
        .filter(({ code, name }) => code.toLowerCase().includes(wanted) || name.toLowerCase().includes(wanted))
        .slice(0, maxOptions)
    : [];
  return (
    <Combobox
      size="small"
      style={{ minWidth: 0, width: '100%' }}
      aria-label={t('tour.batch.viewpointOf', { name: row.file.name })}
      input={{ tabIndex, style: { minWidth: 0 } }}
      disabled={row.isSent || row.state === 'SENDING'}
      clearable
      open={isOpen}
      value={text ?? chosen?.code ?? ''}
      selectedOptions={match ? [match.node] : []}
      placeholder={t('tour.batch.choose')}
      onOpenChange={(_, { open }) => setOpen(open)}
      onChange={({ target }) => setText(target.value)}
      onBlur={() => setText(undefined)}
      onOptionSelect={(_, { optionValue }) => {
        setText(undefined);
        row.assign(optionValue === undefined ? undefined : { node: optionValue, reason: 'HAND' });
      }}
    >
      {options.map(({ node, code, name }) => (
        <Option key={node} value={node} text={code}>
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
