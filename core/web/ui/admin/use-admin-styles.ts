import { makeStyles, tokens } from '@fluentui/react-components';

/** Looks that screens of the administration share: lists of cards, forms, reports. */
export const useAdminStyles = makeStyles({
  bar: { display: 'flex', flexWrap: 'wrap', alignItems: 'end', justifyContent: 'space-between', gap: tokens.spacingHorizontalL, marginBottom: tokens.spacingVerticalL },
  choice: { flexGrow: 1, flexBasis: '260px', maxWidth: '420px', minWidth: 0 },
  list: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalM, margin: 0, padding: 0, listStyleType: 'none' },
  card: {
    display: 'grid',
    gap: tokens.spacingVerticalM,
    padding: tokens.spacingHorizontalL,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorNeutralBackground1,
  },
  head: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalM },
  name: { margin: 0, fontSize: tokens.fontSizeBase400, lineHeight: tokens.lineHeightBase400, fontWeight: tokens.fontWeightSemibold, overflowWrap: 'anywhere' },
  grow: { flexGrow: 1, minWidth: 0 },
  actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
  facts: { display: 'flex', flexWrap: 'wrap', columnGap: tokens.spacingHorizontalXL, rowGap: tokens.spacingVerticalXS, margin: 0, color: tokens.colorNeutralForeground2 },
  fact: { display: 'flex', gap: tokens.spacingHorizontalXS, minWidth: 0, overflowWrap: 'anywhere' },
  term: { color: tokens.colorNeutralForeground3 },
  value: { margin: 0, fontVariantNumeric: 'tabular-nums' },
  form: { display: 'grid', gap: tokens.spacingVerticalM },
  three: { display: 'grid', gridTemplateColumns: 'repeat(3, minmax(0, 1fr))', gap: tokens.spacingHorizontalM, '@media (max-width: 479px)': { gridTemplateColumns: 'minmax(0, 1fr)' } },
  narrowField: { minWidth: 0, gridTemplateColumns: 'minmax(0, 1fr)', '& .fui-Input': { minWidth: 0, width: '100%' } },
  fieldset: { display: 'grid', gap: tokens.spacingVerticalS, margin: 0, padding: 0, border: 'none', minWidth: 0 },
  legend: { padding: 0, marginBottom: tokens.spacingVerticalS, fontWeight: tokens.fontWeightSemibold },
  note: { margin: 0, color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  report: { display: 'grid', gap: tokens.spacingVerticalXS, margin: `${tokens.spacingVerticalS} 0 0`, paddingLeft: tokens.spacingHorizontalL },
  summary: { cursor: 'pointer', minHeight: '24px', '@media (pointer: coarse)': { minHeight: '44px', alignContent: 'center' } },
});
