import { Button, Field, Input, makeStyles, Select, tokens } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useFormats, useText } from '#core/web';
import { observer } from 'mobx-react-lite';
import type { AttributePath, TagRule } from '../../../../contract/api/tag-rules.ts';
import { maxTagRules, tagRuleKinds, tagRuleParts } from '../../../../contract/values/tag-rules.ts';
import { isIfc, toRulePath } from '../../stores/propose-rules.ts';

const useStyles = makeStyles({
  rule: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    gap: tokens.spacingVerticalS,
    padding: tokens.spacingHorizontalM,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground1,
  },
  fields: { display: 'flex', flexWrap: 'wrap', alignItems: 'start', gap: tokens.spacingHorizontalM },
  field: { flexGrow: 1, flexBasis: '220px', minWidth: 0, gridTemplateColumns: 'minmax(0, 1fr)' },
  foot: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalS },
});

export interface RuleListProps {
  readonly rules: readonly TagRule[];
  readonly paths: readonly AttributePath[];
  /** For each rule, the number of objects that it finds a tag for. Undefined until the rules were tried. */
  readonly foundCounts: readonly number[] | undefined;
  readonly disabled: boolean;
  readonly onChange: (rules: readonly TagRule[]) => void;
}

/** Edits rules and their order. */
export const RuleList = observer(function RuleList({ rules, paths, foundCounts, disabled, onChange }: RuleListProps) {
  const adminStyles = useAdminStyles();
  const styles = useStyles();
  const t = useText();
  const formats = useFormats();
  const replace = (index: number, rule: TagRule): void =>
    onChange(rules.map((existing, position) => (position === index ? rule : existing)));
  const move = (index: number, offset: number): void => {
    const movedRules = [...rules];
    movedRules.splice(index + offset, 0, ...movedRules.splice(index, 1));
    onChange(movedRules);
  };
  return (
    <>
      <ol className={adminStyles.list} aria-label={t('model-3d.rules.list')}>
        {rules.map((rule, index) => {
          const number = formats.number(index + 1);
          const renderButton = (text: string, isDisabled: boolean, onClick: () => void) => (
            <Button
              size="small"
              disabledFocusable={disabled || isDisabled}
              aria-label={t('model-3d.rules.actionOf', { action: t(text), number })}
              onClick={onClick}
            >
              {t(text)}
            </Button>
          );
          return (
            // Rules have no id, so the index is the key.
            <li key={index} className={styles.rule}>
              <RuleFields
                rule={rule}
                number={number}
                paths={paths}
                disabled={disabled}
                onChange={(changedRule) => replace(index, changedRule)}
              />
              <div className={styles.foot}>
                {renderButton('model-3d.rules.up', index === 0, () => move(index, -1))}
                {renderButton('model-3d.rules.down', index === rules.length - 1, () => move(index, 1))}
                {renderButton('model-3d.rules.remove', false, () =>
                  onChange(rules.filter((_, position) => position !== index)),
                )}
                {foundCounts?.[index] === undefined ? null : (
                  <span className={adminStyles.note}>
                    {t('model-3d.rules.foundBy', {
                      count: foundCounts[index],
                      shown: formats.number(foundCounts[index]),
                    })}
                  </span>
                )}
              </div>
            </li>
          );
        })}
      </ol>
      <div>
        <Button
          disabledFocusable={disabled || rules.length >= maxTagRules}
          onClick={() => onChange([...rules, { kind: 'NAME', part: 'WHOLE' }])}
        >
          {t('model-3d.rules.add')}
        </Button>
      </div>
    </>
  );
});

interface RuleFieldsProps extends Pick<RuleListProps, 'paths' | 'disabled'> {
  readonly rule: TagRule;
  readonly number: string;
  readonly onChange: (rule: TagRule) => void;
}

function RuleFields({ rule, number, paths, disabled, onChange }: RuleFieldsProps) {
  const styles = useStyles();
  const t = useText();
  const formats = useFormats();
  const { kind, path = '', part, pattern = '' } = rule;
  const hasIfc = kind === 'IFC_PROPERTY' || paths.some((attribute) => isIfc(attribute.path));
  const selectablePaths = paths.filter((attribute) => isIfc(attribute.path) === (kind === 'IFC_PROPERTY'));
  const isListed = selectablePaths.some((choice) => toRulePath(choice.path) === path);
  return (
    <div className={styles.fields}>
      <Field label={t('model-3d.rules.kind', { number })} className={styles.field}>
        <Select
          value={kind}
          disabled={disabled}
          onChange={(_, { value }) => {
            const chosenKind = tagRuleKinds.find((tagRuleKind) => tagRuleKind === value) ?? kind;
            onChange({ kind: chosenKind, part: chosenKind === 'PARENT' ? 'WHOLE' : part, pattern });
          }}
        >
          {tagRuleKinds.map((tagRuleKind) =>
            tagRuleKind === 'IFC_PROPERTY' && !hasIfc ? null : (
              <option key={tagRuleKind} value={tagRuleKind}>
                {t(`model-3d.rules.kind.${tagRuleKind}`)}
              </option>
            ),
          )}
        </Select>
      </Field>
      {kind === 'EXTRAS' || kind === 'IFC_PROPERTY' ? (
        <Field
          label={t('model-3d.rules.path')}
          className={styles.field}
          {...(selectablePaths.length === 0 ? { hint: t('model-3d.rules.noPaths') } : {})}
        >
          <Select value={path} disabled={disabled} onChange={(_, { value }) => onChange({ ...rule, path: value })}>
            <option value="">{t('model-3d.rules.choosePath')}</option>
            {isListed || path === '' ? null : <option value={path}>{path}</option>}
            {selectablePaths.map((choice) => (
              <option key={choice.path} value={toRulePath(choice.path)}>
                {t('model-3d.rules.pathOption', {
                  path: toRulePath(choice.path),
                  count: formats.number(choice.count),
                  example: choice.example,
                })}
              </option>
            ))}
          </Select>
        </Field>
      ) : null}
      {kind === 'PARENT' ? null : (
        <Field label={t('model-3d.rules.part')} className={styles.field}>
          <Select
            value={part}
            disabled={disabled}
            onChange={(_, { value }) =>
              onChange({ ...rule, part: tagRuleParts.find((tagRulePart) => tagRulePart === value) ?? part })
            }
          >
            {tagRuleParts.map((tagRulePart) => (
              <option key={tagRulePart} value={tagRulePart}>
                {t(`model-3d.rules.part.${tagRulePart}`)}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {kind !== 'PARENT' && part === 'PATTERN' ? (
        <Field label={t('model-3d.rules.pattern')} hint={t('model-3d.rules.patternHint')} className={styles.field}>
          <Input
            value={pattern}
            maxLength={200}
            disabled={disabled}
            autoComplete="off"
            spellCheck={false}
            onChange={(_, { value }) => onChange({ ...rule, pattern: value })}
          />
        </Field>
      ) : null}
    </div>
  );
}
