import type { Import, ImportKindInfo } from '../../../contract/api.ts';
import type { OpenImport } from '../../stores/open-import.ts';

/** What every step of an import receives. */
export interface StepProps {
  readonly openImport: OpenImport;
  readonly value: Import;
  readonly kind: ImportKindInfo;
  readonly allKinds: readonly ImportKindInfo[];
}
